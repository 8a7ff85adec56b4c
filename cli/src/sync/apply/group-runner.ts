import type { FeedSummary } from '@brandport/client';
import type { Problems } from '../../input/problems.ts';
import type { LibraryGroup, ProductGroup } from '../plan/plan-types.ts';
import { applyFeed } from './apply-feed.ts';
import { applyLibraryStep } from './apply-library.ts';
import type { ApplyOptions } from './apply-options.ts';
import { ProductMoved, ProductWrites } from './apply-product.ts';
import type { Journal, Progress } from './journal.ts';
import type { PlanEntry, PlanFile } from './plan-file.ts';
import { describeRefusal, isOfOneWrite } from './refused-write.ts';

const concurrentProducts = 8;

export interface GroupRun {
  readonly plan: PlanFile;
  readonly journal: Journal;
  readonly refused: Problems;
  readonly failed: Problems;
  readonly options: ApplyOptions;
  readonly keysAreKept: boolean;
}

/** Runs the groups of a plan: the library first, products several at a time, then feeds, then archives. One use only. */
export class GroupRunner {
  readonly #run: GroupRun;
  readonly #running = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  #failure: { readonly error: unknown } | null = null;
  #written = 0;
  #skipped = 0;
  #archivesLeftOut = 0;
  #feed: FeedSummary['totals'] | null = null;

  constructor(run: GroupRun) {
    const { signal } = run.options;
    this.#run = run;
    this.#signal =
      signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]);
  }

  /** @throws the first error that concerns more than one write, when all that has begun has ended */
  async run() {
    let kind = '';
    for await (const entry of this.#run.plan.groups()) {
      if (entry.group.kind !== kind) await this.#drain();
      kind = entry.group.kind;
      while (this.#running.size >= concurrentProducts) await Promise.race(this.#running);
      if (this.#failure !== null) break;
      this.#start(entry);
      // Its lines are read from the plan.
      if (kind === 'feed') await this.#drain();
    }
    await this.#drain();
    if (this.#failure !== null) throw this.#failure.error;
    return {
      written: this.#written,
      skipped: this.#skipped,
      archivesLeftOut: this.#archivesLeftOut,
      feed: this.#feed,
    };
  }

  async #drain(): Promise<void> {
    await Promise.all(this.#running);
  }

  #start(entry: PlanEntry): void {
    const work: Promise<void> = this.#apply(entry)
      .catch((error: unknown) => {
        const at = 'sku' in entry.group ? entry.group.sku : entry.group.kind;
        if (error instanceof ProductMoved) this.#run.refused.add(at, error.message);
        else if (isOfOneWrite(error)) this.#run.failed.add(at, describeRefusal(error));
        else {
          this.#failure ??= { error };
          this.#ending.abort(error);
        }
      })
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  async #apply(entry: PlanEntry): Promise<void> {
    const { group, index } = entry;
    const done = this.#run.journal.of(index)?.done ?? 0;
    // The second step of a feed waits.
    this.#skipped += group.kind === 'feed' ? Math.min(done, 1) : done;
    if (group.kind === 'library') return this.#applyLibrary(index, group);
    if (group.kind === 'feed') return this.#applyFeed(entry);
    if (group.kind === 'archive' && this.#run.options.archiveMissing !== true) {
      if ((this.#run.journal.of(index)?.done ?? 0) === 0) this.#archivesLeftOut += 1;
      return;
    }
    return this.#applyProduct(index, group);
  }

  async #applyLibrary(index: number, { steps }: LibraryGroup): Promise<void> {
    const { brandport } = this.#run.options;
    for (let next = this.#run.journal.of(index)?.done ?? 0; next < steps.length; next += 1) {
      const step = steps[next];
      if (step === undefined) return;
      try {
        await applyLibraryStep(brandport, step, this.#signal);
      } catch (error) {
        if (!isOfOneWrite(error)) throw error;
        // Products that need it fail on their own, and say so.
        this.#run.failed.add(step.do, describeRefusal(error));
        return;
      }
      this.#record(index, { done: next + 1 }, true);
    }
  }

  async #applyProduct(index: number, group: ProductGroup): Promise<void> {
    const { options, journal, keysAreKept } = this.#run;
    await new ProductWrites(group, {
      brandport: options.brandport,
      progress: journal.of(index),
      keysAreKept,
      isForced: options.force?.includes(group.sku) ?? false,
      signal: this.#signal,
      record: (progress, wasWritten) => this.#record(index, progress, wasWritten),
    }).apply();
  }

  async #applyFeed({ index, group, lines }: PlanEntry): Promise<void> {
    if (group.kind !== 'feed') return;
    const { journal, options, plan, failed } = this.#run;
    const progress = journal.of(index);
    if (progress?.done === 2) {
      if ((progress.failed_lines ?? 0) > 0)
        failed.add('feed', `${progress.failed_lines} lines did not set the stock`);
      return;
    }
    const { feed, summary, failedLines } = await applyFeed(group, {
      brandport: options.brandport,
      source: plan.header.source,
      progress,
      lines,
      signal: this.#signal,
      record: (reached, wasWritten) => this.#record(index, reached, wasWritten),
    });
    this.#feed = summary.totals;
    if (failedLines === 0) return;
    for await (const { sku, location_code: location, result, remedy } of feed.failedLines({
      signal: this.#signal,
    }))
      failed.add(`${sku} at ${location}`, `${result}${remedy === null ? '' : `: ${remedy}`}`);
  }

  #record(index: number, progress: Progress, wasWritten: boolean): void {
    this.#run.journal.record(index, progress);
    if (wasWritten) this.#written += 1;
    const { writes } = this.#run.plan.end.counts;
    this.#run.options.onProgress?.({ done: Math.min(this.#written + this.#skipped, writes), of: writes });
  }
}
