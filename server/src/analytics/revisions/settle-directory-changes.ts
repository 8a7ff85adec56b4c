import type { JobSender } from '../../api/job-sender.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import { type SettlingJobData, settlingJob } from '../settling-job.ts';
import { type DirectoryKind, directoryKinds } from '../store/engine.ts';
import type { MovedDays } from '../store/revisions-store.ts';
import { deleteWaitingRows, hasWaitingRows } from '../waiting-rows-store.ts';
import { type DirectoryChange, listDirectoryChanges } from './directory-change-store.ts';

/** Limits memory: the changes that are read at once. */
const readSize = 20_000;

/** Limits the rows that one transaction of the store reads, during which aggregations of the brand wait. */
const batchSize = 1_000;

/**
 * Moves the revisions of days whose rows a change of the directory has hidden or shown [analytics-45] [D121]. Can be repeated
 * and run concurrently: changes are deleted after the store has committed. Returns as `settleReturns` does.
 * @throws ApiError `analytics_unavailable`
 */
export async function settleDirectoryChanges(
  { database, clock, analytics }: Pick<AnalyticsContext, 'database' | 'clock' | 'analytics'>,
  brandId: number,
  { whenBusy, limitMs = Number.POSITIVE_INFINITY }: { whenBusy: 'wait' | 'skip'; limitMs?: number },
): Promise<'done' | 'busy' | 'unfinished'> {
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
