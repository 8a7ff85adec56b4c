import type { JobSender } from '../../api/job-sender.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import { hasDirectoryChanges, listBrandsWithDirectoryChanges } from './directory-change-store.ts';
import { settleDirectoryChanges } from './settle-directory-changes.ts';

/** The queue of brands whose directory has changed. */
const directoryChangesQueue = 'move-revisions-of-changed-directories';

interface DirectoryChangesJobData {
  readonly brand_id: number;
}

/** The time after which another brand gets its turn. */
const sliceMs = 1_000;

/**
 * Moves the revisions after changes of the directory. While the store is unavailable or the brand is being aggregated, the
 * changes are kept, and `listForgotten` finds them again every few seconds.
 */
export const settleDirectoryChangesJob = {
  name: directoryChangesQueue,
  keyOf: ({ brand_id }: DirectoryChangesJobData) => String(brand_id),
  run: async (
    context: AnalyticsContext,
    { brand_id }: DirectoryChangesJobData,
  ): Promise<'done' | 'again'> => {
    try {
      const outcome = await settleDirectoryChanges(context, brand_id, { whenBusy: 'skip', limitMs: sliceMs });
      return outcome === 'unfinished' ? 'again' : 'done';
    } catch (error) {
      if (error instanceof ApiError && error.code === 'analytics_unavailable') return 'done';
      throw error;
    }
  },
  listForgotten: async ({ database }: AnalyticsContext, idleMs: number): Promise<DirectoryChangesJobData[]> =>
    (await listBrandsWithDirectoryChanges(database, idleMs)).map((brand_id) => ({ brand_id })),
} as const;

/** Queues the job in the transaction of a change of the directory, if the transaction left changes to settle. */
export async function queueDirectoryChanges(
  tx: Transaction,
  brandId: number,
  jobs: JobSender,
): Promise<void> {
  if (!(await hasDirectoryChanges(tx, brandId))) return;
  const data: DirectoryChangesJobData = { brand_id: brandId };
  await jobs.send(tx, { queue: directoryChangesQueue, key: String(brandId), data });
}
