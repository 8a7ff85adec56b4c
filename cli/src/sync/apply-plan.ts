import { type Brandport, BrandportError, type FeedSummary, isBrandportError } from '@brandport/client';
import { inParallel } from '../in-parallel.ts';
import type { Place } from '../input/input-rows.ts';
import { type Problem, Problems } from '../input/row-reader.ts';
import type { LibraryStep, ProductGroup, ProductStep, StockStep, SyncPlan } from './plan/plan-types.ts';
import { ProductMoved, writeProduct } from './write-product.ts';

export interface ApplyOptions {
  readonly brandport: Brandport;
  /** The name of the feed's source; default `brandport-sync`. */
  readonly source?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly of: number }) => void) | undefined;
}

export interface ApplyResult {
  /** Writes that are done. */
  readonly written: number;
  /** Products that have changed since they were compared. */
  readonly refused: readonly Problem[];
  /** Writes that the service refused, and stock lines that did not set the stock. */
  readonly failed: readonly Problem[];
  /** The decided lines of the feed by result; null without a feed. */
  readonly feed: FeedSummary['totals'] | null;
  /** false: something was refused or has failed. */
  readonly isComplete: boolean;
}

const concurrentProducts = 8;

/**
 * Carries out a plan: the library first, products several at a time, then stock, then archives. What is refused is left out, and
 * the rest continues. A run that ends early is continued by another sync, which compares again.
 * @throws BrandportError that concerns more than one write, when all that has begun has ended
 */
export async function applyPlan(plan: SyncPlan, options: ApplyOptions): Promise<ApplyResult> {
  const { library, products, stock, archives } = plan;
  const run = new Run(plan, options);
  await run.writeLibrary(library);
  await run.writeProducts(products);
  const feed = await run.sendStock(stock);
  await run.writeProducts(archives);
  const { written, refused, failed } = run;
  const isComplete = refused.count + failed.count === 0;
  return { written, refused: refused.kept, failed: failed.kept, feed, isComplete };
}

class Run {
  readonly refused = new Problems();
  readonly failed = new Problems();
  written = 0;
  readonly #of: number;
  readonly #options: ApplyOptions;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;

  constructor({ counts }: SyncPlan, options: ApplyOptions) {
    this.#of = counts.writes;
    this.#options = options;
    const { signal } = options;
    this.#signal =
      signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]);
  }

  async writeLibrary(steps: readonly LibraryStep[]): Promise<void> {
    for (const step of steps)
      try {
        await writeLibraryStep(this.#options.brandport, step, this.#signal);
        this.#note();
      } catch (error) {
        // Products that need it fail on their own, and say so.
        this.#fail(nameOf(step), error);
      }
  }

  async writeProducts(groups: readonly ProductGroup[]): Promise<void> {
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
          at = step.place ?? group.place;
        },
        onWritten: () => this.#note(),
      });
    } catch (error) {
      if (error instanceof ProductMoved) this.refused.add(at, `${group.sku} ${error.message}`);
      else this.#fail(at, error, group.sku);
    }
  }

  async sendStock(steps: readonly StockStep[]): Promise<FeedSummary['totals'] | null> {
    if (steps.length === 0) return null;
    const { brandport, source = 'brandport-sync' } = this.#options;
    const batchId = `sync-${crypto.randomUUID()}`;
    const lines = steps.map(({ line }) => line);
    const feed = await brandport.feeds
      .submit({ source, batchId, lines }, { signal: this.#signal })
      .catch((error: unknown) => this.#failLines(steps, error));
    if (feed === null) return null;
    for (const _ of feed.parts) this.#note();
    const { totals } = await feed.wait({ signal: this.#signal });
    for await (const { line, sku, location_code: location, result, remedy } of feed.failedLines({
      signal: this.#signal,
    }))
      this.failed.add(
        steps[line]?.place ?? sku,
        `${sku} at ${location}: ${result}${remedy === null ? '' : `: ${remedy}`}`,
      );
    return totals;
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
      this.#ending.abort(error);
      throw error;
    }
    this.failed.add(at, `${name === undefined ? '' : `${name}: `}${describeRefusal(error)}`);
  }

  #note(): void {
    this.written += 1;
    this.#options.onProgress?.({ done: this.written, of: this.#of });
  }
}

/** Codes that say that the thing to create exists: another run has created it. */
const existing = ['duplicate_axis_code', 'duplicate_axis_value', 'conflict'];

/** Carries out one write of the library. @throws BrandportError */
async function writeLibraryStep(
  { catalog }: Brandport,
  step: LibraryStep,
  signal: AbortSignal,
): Promise<void> {
  const { axes, locations } = catalog;
  try {
    if (step.do === 'create_axis') await axes.create(step.body, { signal });
    else if (step.do === 'update_axis') await axes.update(step.code, step.body, { signal });
    else if (step.do === 'create_value') await axes.createValue(step.code, step.body, { signal });
    else if (step.do === 'update_value') await axes.updateValue(step.code, step.value, step.body, { signal });
    else if (step.do === 'create_location') await locations.create(step.body, { signal });
    else await locations.update(step.code, step.body, { signal });
  } catch (error) {
    const isCreation = step.do.startsWith('create');
    if (!(isCreation && isBrandportError(error) && existing.includes(error.code))) throw error;
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
