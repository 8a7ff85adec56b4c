import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isBrandportError } from './errors.ts';
import type { ProductListItem, StockLevelListed } from './generated/wire.ts';
import type { ClientApi } from './resource.ts';
import type { Call } from './transport/attempt.ts';
import { type CallOptions, sleep } from './transport/client-options.ts';

/** The place of a poller in the changes of products. */
export interface ProductCheckpoint {
  /** The latest `updated_at` that was handled; null before the first product. */
  readonly since: string | null;
  /** The `tu_id` of products that were handled with exactly this `updated_at`. */
  readonly seen: readonly string[];
}

/** The place of a poller in the changes of stock. */
export interface StockCheckpoint {
  /** The `changed_token` after what was handled; `start` before the first level. */
  readonly token: string;
}

/** The place of one poller. Treat it as opaque: a store keeps it as JSON. */
export type Checkpoint = ProductCheckpoint | StockCheckpoint;

/** A place that survives the process. Use one for each poller. */
export interface ChangeState {
  /** Returns null before the first `save`. */
  load(): Promise<Checkpoint | null>;
  /** Has to be durable when it returns. */
  save(checkpoint: Checkpoint): Promise<void>;
}

/**
 * Keeps the place in a file. A crash leaves the old content or the new one. One process may use the file at a time: `save`
 * rejects if another one has changed it.
 */
export function fileState(path: string): ChangeState {
  let known: string | null | undefined;
  return {
    load: async () => {
      known = await textOf(path);
      return known === null ? null : checkpointFrom(known, path);
    },
    save: async (checkpoint) => {
      if (known !== undefined && (await textOf(path)) !== known)
        throw new Error(`${path} was changed by another process. Only one process at a time may use it.`);
      const text = `${JSON.stringify(checkpoint)}\n`;
      const temporary = `${path}.${crypto.randomUUID()}.new`;
      try {
        await writeDurably(temporary, text);
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      known = text;
      await flush(dirname(path));
    },
  };
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Keeps the place in memory: a new process begins from the start. */
export function memoryState(): ChangeState {
  let kept: Checkpoint | null = null;
  return {
    load: async () => kept,
    save: async (checkpoint) => {
      kept = checkpoint;
    },
  };
}

function checkpointFrom(text: string, path: string): Checkpoint {
  const value = parsed(text);
  const { since, seen, token } = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    ProductCheckpoint & StockCheckpoint
  >;
  if (typeof token === 'string') return { token };
  if ((typeof since === 'string' || since === null) && Array.isArray(seen)) return { since, seen };
  // Without the file, everything comes again: that is for the operator to decide.
  throw new TypeError(`${path} is not a state of changes. Remove it to begin from the start.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename in a directory durable. */
async function flush(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => null);
  // Some systems cannot open a directory.
  await handle?.sync().catch(() => {});
  await handle?.close();
}

const productsPerPage = 200;

/**
 * Reads the products that changed. A product that changes during the reading moves to the end of the list, so that the
 * later pages of a list cannot be trusted: each batch is page 1 of the products since the last one.
 */
export class ProductChangeReader implements ChangeReader<ProductListItem, ProductCheckpoint> {
  readonly start: ProductCheckpoint = { since: null, seen: [] };
  readonly #api: ClientApi;
  readonly #options: CallOptions;
  /** The last response without anything new: asking for it again costs the service one short statement. */
  #idle: { readonly since: string | null; readonly etag: string } | null = null;

  constructor(api: ClientApi, options: CallOptions) {
    this.#api = api;
    this.#options = options;
  }

  isOwn(checkpoint: Checkpoint): checkpoint is ProductCheckpoint {
    return 'since' in checkpoint;
  }

  async next(after: ProductCheckpoint): Promise<ChangeBatch<ProductListItem, ProductCheckpoint> | null> {
    const page = await this.#page(after.since, 1);
    if (page === null) return null;
    const fresh = page.items.filter((item) => isFresh(item, after));
    if (fresh.length > 0) return { items: fresh, checkpoint: checkpointAfter(after, fresh) };
    if (page.lastPage === 1) {
      if (page.etag !== null) this.#idle = { since: after.since, etag: page.etag };
      return null;
    }
    return this.#nextOfInstant(after, page.lastPage);
  }

  /**
   * Reads more than a page of products with one `updated_at`. They leave the list when they change, and the others move
   * towards the first page: reading from the back misses none of them.
   */
  async #nextOfInstant(
    after: ProductCheckpoint,
    lastPage: number,
  ): Promise<ChangeBatch<ProductListItem, ProductCheckpoint> | null> {
    const found = new Map<string, ProductListItem>();
    let last = 2;
    // Finds the page that ends the instant.
    for (; last < lastPage; last += 1) {
      const page = await this.#page(after.since, last);
      if (page?.items.some((item) => item.updated_at !== after.since)) break;
    }
    for (let number = last; number >= 1; number -= 1) {
      const page = await this.#page(after.since, number);
      for (const item of page?.items ?? [])
        if (item.updated_at === after.since && isFresh(item, after)) found.set(item.tu_id, item);
    }
    const items = [...found.values()];
    if (items.length > 0) return { items, checkpoint: checkpointAfter(after, items) };
    // All products of the instant are handled: the next one has a later stamp.
    const next = new Date(Date.parse(after.since ?? '') + 1).toISOString();
    return this.next({ since: next, seen: [] });
  }

  async #page(since: string | null, page: number) {
    const query = {
      sort: 'updated_at',
      page,
      per_page: productsPerPage,
      ...(since !== null && { updated_since: since }),
    };
    const etag = page === 1 && this.#idle?.since === since ? this.#idle.etag : undefined;
    const options = { ...this.#options, ...(etag !== undefined && { ifNoneMatch: etag }) };
    const answer = await unlessSame(this.#api.call('listProducts', [], { query }, options));
    if (answer === null) return null;
    return { items: answer.data.data, lastPage: answer.data.meta.last_page, etag: answer.etag };
  }
}

function isFresh(
  { tu_id: tuId, updated_at: updatedAt }: ProductListItem,
  { since, seen }: ProductCheckpoint,
): boolean {
  return updatedAt !== since || !seen.includes(tuId);
}

function checkpointAfter(before: ProductCheckpoint, items: readonly ProductListItem[]): ProductCheckpoint {
  const since = items.at(-1)?.updated_at ?? before.since;
  const seen = items.filter((item) => item.updated_at === since).map(({ tu_id: tuId }) => tuId);
  return { since, seen: since === before.since ? [...before.seen, ...seen] : seen };
}

const levelsPerPage = 200;

/** Reads the stock levels that changed. The service keeps the order: its token is the checkpoint. */
export class StockChangeReader implements ChangeReader<StockLevelListed, StockCheckpoint> {
  readonly start: StockCheckpoint = { token: 'start' };
  readonly #api: ClientApi;
  readonly #options: CallOptions;
  /** The last response without anything new. */
  #idle: { readonly token: string; readonly etag: string } | null = null;

  constructor(api: ClientApi, options: CallOptions) {
    this.#api = api;
    this.#options = options;
  }

  isOwn(checkpoint: Checkpoint): checkpoint is StockCheckpoint {
    return 'token' in checkpoint;
  }

  /** @throws ValidationFailed on `changed_after` for a token that is too old, or from before a restore */
  async next({ token }: StockCheckpoint): Promise<ChangeBatch<StockLevelListed, StockCheckpoint> | null> {
    const query = { changed_after: token, per_page: levelsPerPage };
    const etag = this.#idle?.token === token ? this.#idle.etag : undefined;
    const options = { ...this.#options, ...(etag !== undefined && { ifNoneMatch: etag }) };
    const answer = await unlessSame(this.#api.call('listStockLevels', [], { query }, options));
    if (answer === null) return null;
    const { data: items, meta } = answer.data;
    if (items.length > 0 || meta.changed_token !== token)
      return { items, checkpoint: { token: meta.changed_token } };
    if (answer.etag !== null) this.#idle = { token, etag: answer.etag };
    return null;
  }
}

export interface ChangesOptions extends CallOptions {
  readonly state: ChangeState;
  /** false: ends when everything is handled; true, the default, waits for further changes. */
  readonly follow?: boolean | undefined;
  /** Milliseconds between two looks when nothing has changed; default 5,000. */
  readonly intervalMs?: number | undefined;
}

/**
 * Iterates changes in batches of up to 200, from the state's place. The place moves when the loop asks for the next batch: a
 * batch whose handling was interrupted comes again.
 * @throws TypeError if the state belongs to another kind of changes
 */
export async function* changes<Item, Own extends Checkpoint>(
  createReader: (options: CallOptions) => ChangeReader<Item, Own>,
  options: ChangesOptions,
): AsyncGenerator<ChangeBatch<Item, Own>, void, undefined> {
  const { state, follow = true, intervalMs = 5_000, ...callOptions } = options;
  const reader = createReader(callOptions);
  const kept = (await state.load()) ?? reader.start;
  if (!reader.isOwn(kept))
    throw new TypeError('The state belongs to a poller of other changes. Use another one.');
  let checkpoint: Own = kept;
  for (;;) {
    const batch = await reader.next(checkpoint);
    if (batch !== null) {
      if (batch.items.length > 0) yield batch;
      checkpoint = batch.checkpoint;
      await state.save(checkpoint);
    } else if (follow) await sleep(intervalMs, options.signal);
    else return;
  }
}

/** Changes after a checkpoint, in their order, and the checkpoint after them. */
export interface ChangeBatch<Item = unknown, Own extends Checkpoint = Checkpoint> {
  readonly items: readonly Item[];
  readonly checkpoint: Own;
}

/** Reads the changes of one kind of resource. */
interface ChangeReader<Item, Own extends Checkpoint> {
  /** The checkpoint before everything. */
  readonly start: Own;
  /** Returns whether a checkpoint is one of this kind. */
  isOwn(checkpoint: Checkpoint): checkpoint is Own;
  /** Returns the next batch, which may be empty with another checkpoint; null if nothing has changed. */
  next(after: Own): Promise<ChangeBatch<Item, Own> | null>;
}

/**
 * Returns the response with its tag; null if it is the one whose tag the call sent, which costs the service one short
 * statement.
 */
async function unlessSame<T>(
  call: Call<T>,
): Promise<{ readonly data: T; readonly etag: string | null } | null> {
  try {
    const { data, response } = await call.withResponse();
    return { data, etag: response.headers.get('etag') };
  } catch (error) {
    if (isBrandportError(error, 'not_modified')) return null;
    throw error;
  }
}
