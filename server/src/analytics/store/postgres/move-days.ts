import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';
import type { DatasetName } from '../aggregation-types.ts';
import type { DirectorySubjects, MovedDays, MoveOptions } from '../dataset-changes.ts';
import { affectedDatasets, listAffectedDays, listDaysWithRows } from './affected-day-store.ts';
import { moveRevisions } from './aggregation/revision-store.ts';
import { lockDatasets, tryLockDatasets } from './aggregation-lock.ts';

/**
 * See `AnalyticsStore.moveDays`. Holds the lock of the brand's datasets, so that revisions ascend in commit order.
 */
export async function moveDays(
  tx: Transaction,
  brandId: number,
  subjects: DirectorySubjects,
  { at, whenBusy, moved = {} }: MoveOptions,
): Promise<MovedDays | null> {
  if (whenBusy === 'wait') await lockDatasets(tx, brandId);
  else if (!(await tryLockDatasets(tx, brandId))) return null;
  return moveDaysUnderLock(tx, brandId, subjects, { at, moved });
}

/** Like `moveDays`; the caller holds the lock of the brand's datasets. */
export async function moveDaysUnderLock(
  tx: Transaction,
  brandId: number,
  subjects: DirectorySubjects,
  { at, moved }: { readonly at: Date; readonly moved: MovedDays },
): Promise<MovedDays> {
  const all: Partial<Record<DatasetName, readonly Day[]>> = { ...moved };
  for (const affected of affectedDatasets[subjects.kind]) {
    const { dataset } = affected;
    const earlier = all[dataset] ?? [];
    const among = await listDaysWithRows(tx, brandId, dataset, earlier);
    // After most days have moved, the rows of further learners need not be read.
    if (among.length === 0) continue;
    const found = await listAffectedDays(tx, brandId, subjects, { ...affected, among });
    const days = subjects.kind === 'learner' ? { exclusion: found } : { directory: found };
    await moveRevisions(tx, brandId, { dataset, days, at });
    all[dataset] = [...earlier, ...found];
  }
  return all;
}
