import { ApiError } from '../../errors/api-error.ts';
import { within } from '../../lib/within.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { JobSender } from '../../queue/job-sender.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import { type DirectoryKind, directoryKinds } from '../store/datasets.ts';
import type { MovedDays } from '../store/revisions-store.ts';
import {
  type DirectoryChange,
  deleteWaitingRows,
  hasWaitingRows,
  listBrandsWithWaitingRows,
  listDirectoryChanges,
  listOptIns,
} from './waiting-changes-store.ts';

export interface SettlingJobData {
  readonly brand_id: number;
}

/** The time after which another brand gets its turn. */
const sliceMs = 1_000;

interface Patience {
  readonly whenBusy: 'wait' | 'skip';
  readonly limitMs?: number;
}

/** `busy`: an aggregation of the brand is running and `whenBusy` is `skip`; `unfinished`: `limitMs` have passed. */
type Outcome = 'done' | 'busy' | 'unfinished';
type Settle = (context: AnalyticsContext, brandId: number, patience: Patience) => Promise<Outcome>;

/**
 * Returns the job that settles the waiting rows of a brand. While the store is unavailable or the brand is being aggregated,
 * the rows are kept, and `listForgotten` finds them again within half a minute.
 */
function settlingJob<const Name extends string>(
  name: Name,
  table: Parameters<typeof listBrandsWithWaitingRows>[1],
  settle: Settle,
) {
  return {
    name,
    keyOf: ({ brand_id }: SettlingJobData) => String(brand_id),
    run: async (context: AnalyticsContext, { brand_id }: SettlingJobData): Promise<'done' | 'again'> => {
      try {
        const outcome = await settle(context, brand_id, { whenBusy: 'skip', limitMs: sliceMs });
        return outcome === 'unfinished' ? 'again' : 'done';
      } catch (error) {
        if (error instanceof ApiError && error.code === 'analytics_unavailable') return 'done';
        throw error;
      }
    },
    listForgotten: async ({ database }: AnalyticsContext, idleMs: number): Promise<SettlingJobData[]> =>
      (await listBrandsWithWaitingRows(database, table, idleMs)).map((brand_id) => ({ brand_id })),
  } as const;
}

/** Limits memory: the changes that are read at once. */
const readSize = 20_000;

/** Limits the rows that one transaction of the store reads, during which aggregations of the brand wait. */
const batchSize = 1_000;

/**
 * Moves the revisions of days whose rows a change of the directory has hidden or shown [analytics-45] [D121]. Can be repeated
 * and run concurrently: changes are deleted after the store has committed.
 * @throws ApiError `analytics_unavailable`
 */
export async function settleDirectoryChanges(
  { database, clock, analytics }: Pick<AnalyticsContext, 'database' | 'clock' | 'analytics'>,
  brandId: number,
  { whenBusy, limitMs = Number.POSITIVE_INFINITY }: Patience,
): Promise<Outcome> {
  const start = performance.now();
  for (;;) {
    const changes = await listDirectoryChanges(database, brandId, readSize);
    if (changes.length === 0) return 'done';
    const movedBy = new Map<DirectoryKind, MovedDays>();
    for (let from = 0; from < changes.length; from += batchSize) {
      const batch = changes.slice(from, from + batchSize);
      for (const kind of directoryKinds) {
        const ids = subjectsOf(kind, batch);
        if (ids.length === 0) continue;
        const options = { at: new Date(clock.now()), whenBusy, moved: movedBy.get(kind) ?? {} };
        const moved = await analytics.moveDays(brandId, { kind, ids }, options);
        if (moved === null) return 'busy';
        movedBy.set(kind, moved);
      }
      const settled = batch.map(({ id }) => id);
      await database.transaction((tx) => deleteWaitingRows(tx, 'directory_changes', brandId, settled));
      if (performance.now() - start > limitMs) return 'unfinished';
    }
  }
}

function subjectsOf(kind: DirectoryKind, changes: readonly DirectoryChange[]): number[] {
  const ids = changes.filter((change) => change.kind === kind).map(({ subjectId }) => subjectId);
  return [...new Set(ids)];
}

const directoryChangesQueue = 'move-revisions-of-changed-directories';

export const settleDirectoryChangesJob = settlingJob(
  directoryChangesQueue,
  'directory_changes',
  settleDirectoryChanges,
);

/** Queues the job in the transaction of a change of the directory, if the transaction left changes to settle. */
export async function queueDirectoryChanges(
  tx: Transaction,
  brandId: number,
  jobs: JobSender,
): Promise<void> {
  if (!(await hasWaitingRows(tx, 'directory_changes', brandId))) return;
  const data: SettlingJobData = { brand_id: brandId };
  await jobs.send(tx, { queue: directoryChangesQueue, key: String(brandId), data });
}

/** Limits the events that one transaction of the store reads. */
const optInBatchSize = 200;

/**
 * Marks the days that were aggregated while learners who came back were opted out, for the next nightly run [analytics-31] [D53].
 * Can be repeated and run concurrently.
 * @throws ApiError `analytics_unavailable`
 */
export async function settleOptIns(
  { database, analytics }: Pick<AnalyticsContext, 'database' | 'analytics'>,
  brandId: number,
  { whenBusy, limitMs = Number.POSITIVE_INFINITY }: Patience,
): Promise<Outcome> {
  const start = performance.now();
  for (;;) {
    const optIns = await listOptIns(database, brandId, optInBatchSize);
    if (optIns.length === 0) return 'done';
    const learnerIds = [...new Set(optIns.filter(({ isOut }) => !isOut).map(({ learnerId }) => learnerId))];
    if (learnerIds.length > 0 && !(await analytics.markDaysWithout(brandId, learnerIds, whenBusy)))
      return 'busy';
    const ids = optIns.map(({ id }) => id);
    await database.transaction((tx) => deleteWaitingRows(tx, 'learner_returns', brandId, ids));
    if (performance.now() - start > limitMs) return 'unfinished';
  }
}

/** The longest time that a request waits for the marks. */
const waitMs = 1_000;

/**
 * Tries to mark these days before the response is sent, so that the list of days includes the marks at once.
 * Never throws; if it fails, the queued job or the nightly run marks them.
 */
export async function settleOptInsSoon(
  context: Pick<AnalyticsContext, 'database' | 'analytics'>,
  brandId: number,
): Promise<void> {
  const settled = settleOptIns(context, brandId, { whenBusy: 'skip', limitMs: 0 }).catch(() => {});
  await within(waitMs, settled, () => {});
}

export const optInsQueue = 'mark-days-of-returned-learners';

export const settleOptInsJob = settlingJob(optInsQueue, 'learner_returns', settleOptIns);
