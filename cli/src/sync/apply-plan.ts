import { type Brandport, BrandportError, type FeedSummary, isBrandportError } from '@brandport/client';
import { Interrupted } from '../errors.ts';
import { inParallel } from '../in-parallel.ts';
import type { Place } from '../input/input-rows.ts';
import { type Problem, Problems } from '../input/row-reader.ts';
import type { LibraryStep, ProductGroup, ProductStep, StockStep, SyncPlan } from './plan/plan-types.ts';
import { ProductMoved, type WriteOutcome, writeProduct } from './write-product.ts';

export interface ApplyOptions {
  readonly brandport: Brandport;
  /** The name of the feed's source; default `brandport-sync`. */
  readonly source?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each write, with all that is done. */
  readonly onProgress?: ((done: WriteCounts) => void) | undefined;
}

export interface WriteCounts {
  /** Writes that this run has done. */
  readonly written: number;
  /** Writes that were done before. */
  readonly repeated: number;
}

export interface ApplyResult extends WriteCounts {
  /** Products that have changed since they were compared. */
  readonly refused: readonly Problem[];
  /** Writes that the service refused, and stock lines that did not set the stock. */
  readonly failed: readonly Problem[];
  /** The decided lines of the feed by result; null without a feed. */
  readonly feed: FeedSummary['totals'] | null;
  /** false: something was refused or has failed, or the run ended early. */
  readonly isComplete: boolean;
  /** The error that ended the run early; null without one. */
  readonly stopped: Error | null;
}

const concurrentProducts = 8;

/** Gives writes that have begun the time to end, so that they are counted; those that wait for a limit are dropped. */
const graceMs = 5_000;

/**
 * Carries out a plan: the library first, products several at a time, then stock, then archives. What is refused is left out, and
 * the rest continues. An error that concerns more than one write, and Ctrl-C, end the run when all that has begun has ended;
 * another sync compares again, and continues.
 */
export async function applyPlan(plan: SyncPlan, options: ApplyOptions): Promise<ApplyResult> {
  const run = new Run(options);
  const stopped = await run.write(plan).then(
    () => null,
    (error: unknown) => {
      if (error instanceof BrandportError || error instanceof Interrupted) return error;
      throw error;
    },
  );
  const { counts, refused, failed, feed } = run;
  const isComplete = stopped === null && refused.count + failed.count === 0;
  return { ...counts, refused: refused.kept, failed: failed.kept, feed, isComplete, stopped };
}

class Run {
  readonly refused = new Problems();
  readonly failed = new Problems();
  readonly counts = { written: 0, repeated: 0 };
  feed: FeedSummary['totals'] | null = null;
  readonly #options: ApplyOptions;
  readonly #ending = new AbortController();
  #stopped: BrandportError | null = null;
  #grace: ReturnType<typeof setTimeout> | undefined;
  readonly #signal: AbortSignal;

  constructor(options: ApplyOptions) {
    this.#options = options;
    const { signal } = options;
    this.#signal =
      signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]);
  }

  /** @throws BrandportError that concerns more than one write, Interrupted */
  async write({ library, products, stock, archives }: SyncPlan): Promise<void> {
    try {
      await this.#writeLibrary(library);
      await this.#writeProducts(products);
      await this.#sendStock(stock);
      await this.#writeProducts(archives);
    } finally {
      clearTimeout(this.#grace);
    }
  }

  async #writeLibrary(steps: readonly LibraryStep[]): Promise<void> {
    for (const step of steps)
      try {
        this.#note(await writeLibraryStep(this.#options.brandport, step, this.#signal));
      } catch (error) {
        // Products that need it fail on their own, and say so.
        this.#fail(nameOf(step), error);
      }
  }

  async #writeProducts(groups: readonly ProductGroup[]): Promise<void> {
    const written = inParallel(groups, concurrentProducts, (group) => this.#writeProduct(group));
    for await (const _ of written);
  }

  async #writeProduct(group: ProductGroup): Promise<void> {
    let at = group.place;
    try {
      await writeProduct(group, {
        brandport: this.#options.brandport,
        signal: this.#signal,
        onStep: (step: ProductStep) => {
          if (this.#stopped !== null) throw this.#stopped;
          at = step.place ?? group.place;
        },
        onWritten: (outcome) => this.#note(outcome),
      });
    } catch (error) {
      if (error instanceof ProductMoved) this.refused.add(at, `${group.sku} ${error.message}`);
      else this.#fail(at, error, group.sku);
    }
  }

  async #sendStock(steps: readonly StockStep[]): Promise<void> {
    if (steps.length === 0) return;
    const { brandport, source = 'brandport-sync' } = this.#options;
    const batchId = `sync-${crypto.randomUUID()}`;
    const lines = steps.map(({ line }) => line);
    const feed = await brandport.feeds
      .submit({ source, batchId, lines }, { signal: this.#signal })
      .catch((error: unknown) => this.#failLines(steps, error));
    if (feed === null) return;
    for (const _ of feed.parts) this.#note('written');
    this.feed = (await feed.wait({ signal: this.#signal })).totals;
    for await (const { line, sku, location_code: location, result, remedy } of feed.failedLines({
      signal: this.#signal,
    }))
      this.failed.add(
        steps[line]?.place ?? sku,
        `${sku} at ${location}: ${result}${remedy === null ? '' : `: ${remedy}`}`,
      );
  }

  /** Names the rows of the lines for which the service has refused a feed. */
  #failLines(steps: readonly StockStep[], error: unknown): null {
    if (!isBrandportError(error, 'validation_failed')) throw error;
    for (const [field, messages] of Object.entries(error.errors)) {
      const [, line = '', name = ''] = /^lines\.(\d+)\.?(.*)$/.exec(field) ?? [];
      this.failed.add(steps[Number(line)]?.place ?? 'stock', `${name} ${messages.join(', ')}`.trim());
    }
    return null;
  }

  #fail(at: Place | string, error: unknown, name?: string): void {
    if (!isOfOneWrite(error)) {
      if (error instanceof BrandportError) this.#stopped ??= error;
      this.#grace ??= setTimeout(() => this.#ending.abort(error), graceMs);
      throw error;
    }
    this.failed.add(at, `${name === undefined ? '' : `${name}: `}${describeRefusal(error)}`);
  }

  #note(outcome: WriteOutcome): void {
    this.counts[outcome] += 1;
    this.#options.onProgress?.(this.counts);
  }
}

/** Codes that say that the thing to create exists. */
const existing = ['duplicate_axis_code', 'duplicate_axis_value', 'conflict'];

/** Carries out one write of the library. What exists, another run has created. @throws BrandportError */
async function writeLibraryStep(
  { catalog }: Brandport,
  step: LibraryStep,
  signal: AbortSignal,
): Promise<WriteOutcome> {
  const { axes, locations } = catalog;
  try {
    if (step.do === 'create_axis') await axes.create(step.body, { signal });
    else if (step.do === 'update_axis') await axes.update(step.code, step.body, { signal });
    else if (step.do === 'create_value') await axes.createValue(step.code, step.body, { signal });
    else if (step.do === 'update_value') await axes.updateValue(step.code, step.value, step.body, { signal });
    else if (step.do === 'create_location') await locations.create(step.body, { signal });
    else await locations.update(step.code, step.body, { signal });
    return 'written';
  } catch (error) {
    const isCreation = step.do.startsWith('create');
    if (!(isCreation && isBrandportError(error) && existing.includes(error.code))) throw error;
    return 'repeated';
  }
}

/** Returns what a step of the library writes: `axis size`, `value L of the axis size` or `location hall`. */
export function nameOf(step: LibraryStep): string {
  switch (step.do) {
    case 'create_axis':
      return `axis ${step.body.code}`;
    case 'update_axis':
      return `axis ${step.code}`;
    case 'create_value':
      return `value ${step.body.value} of the axis ${step.code}`;
    case 'update_value':
      return `value ${step.value} of the axis ${step.code}`;
    case 'create_location':
      return `location ${step.body.external_code}`;
    case 'update_location':
      return `location ${step.code}`;
  }
}

/** Returns whether an error concerns one write only, and the others can go on. */
function isOfOneWrite(error: unknown): error is BrandportError {
  return (
    error instanceof BrandportError && [400, 404, 409, 422].includes(error.status ?? 0) && !error.retryable
  );
}

/** Returns the code and message of an error, or its messages by field. */
function describeRefusal(error: BrandportError): string {
  const { errors } = error as { errors?: Readonly<Record<string, readonly string[]>> };
  const texts = Object.entries(errors ?? {}).map(([field, messages]) => `${field} ${messages.join(', ')}`);
  return `${error.code}: ${texts.length === 0 ? error.message : texts.join('; ')}`;
}
