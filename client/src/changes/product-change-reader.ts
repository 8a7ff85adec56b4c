import type { ProductListItem } from '../generated/wire.ts';
import type { ClientApi } from '../resource.ts';
import type { CallOptions } from '../transport/client-options.ts';
import type { Checkpoint, ProductCheckpoint } from './change-state.ts';
import { type ChangeBatch, type ChangeReader, unlessSame } from './changes.ts';

const perPage = 200;

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
      per_page: perPage,
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
