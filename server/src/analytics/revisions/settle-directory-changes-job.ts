import type { JobSender } from '../../api/job-sender.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type SettlingJobData, settlingJob } from '../settling-job.ts';
import { hasWaitingRows } from '../waiting-rows-store.ts';
import { settleDirectoryChanges } from './settle-directory-changes.ts';

/** The queue of brands whose directory has changed. */
const directoryChangesQueue = 'move-revisions-of-changed-directories';

/** Moves the revisions after changes of the directory. */
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
