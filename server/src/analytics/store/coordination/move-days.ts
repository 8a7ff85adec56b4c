import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';
import type { DatasetName } from '../aggregation-types.ts';
import type { DirectoryKind, DirectorySubjects, MovedDays, MoveOptions } from '../dataset-changes.ts';
import type { AnalyticsEngine } from '../engine.ts';
import { lockDatasetsOrSkip } from './aggregation-lock.ts';
import { listDaysWithRows } from './brand-day-store.ts';
import { moveRevisions } from './revision-store.ts';

const affectedDatasets: Readonly<Record<DirectoryKind, readonly DatasetName[]>> = {
  learner: ['users', 'content_engagement'],
  content: ['contents', 'content_engagement'],
  market: ['daily'],
};

interface Move extends Omit<MoveOptions, 'whenBusy'> {
  readonly subjects: DirectorySubjects;
}

/**
 * Gives the days on which the subjects have rows the next revision of their datasets [analytics-45]: all of them or none; can
 * be repeated. Call it after the directory has changed. Returns `moved` with the days added; null if `whenBusy` is `skip` and
 * an aggregation of the brand is running. Holds the lock of the brand's datasets, so that revisions ascend in commit order.
 */
export async function moveDays(
  tx: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  { whenBusy, ...move }: Move & Pick<MoveOptions, 'whenBusy'>,
): Promise<MovedDays | null> {
  if (!(await lockDatasetsOrSkip(tx, brandId, whenBusy))) return null;
  return moveDaysUnderLock(tx, engine, brandId, move);
}

/** Like `moveDays`; the caller holds the lock of the brand's datasets. */
export async function moveDaysUnderLock(
  tx: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  { subjects, at, moved = {} }: Move,
): Promise<MovedDays> {
  const all: Partial<Record<DatasetName, readonly Day[]>> = { ...moved };
  for (const dataset of affectedDatasets[subjects.kind]) {
    const earlier = all[dataset] ?? [];
    const among = await listDaysWithRows(tx, brandId, dataset, earlier);
    // After most days have moved, the rows of further learners need not be read.
    if (among.length === 0) continue;
    const found = await engine.listAffectedDays(tx, brandId, subjects, { dataset, among });
    const days = subjects.kind === 'learner' ? { exclusion: found } : { directory: found };
    await moveRevisions(tx, brandId, { dataset, days, at });
    all[dataset] = [...earlier, ...found];
  }
  return all;
}
