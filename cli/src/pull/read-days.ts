import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DaySpill, type SpilledDay } from './day-spill.ts';
import type { PlannedDay } from './plan-days.ts';
import { isCutWalk, readSlice, type SliceReader } from './read-slice.ts';
import { type Slice, SliceQueue } from './slices.ts';

export interface ReadDaysOptions extends SliceReader {
  /** Where the days are written; null if only counts and digests are needed. */
  readonly folder: string | null;
  /** Walks at a time; default: 2. With one, days come in their order. */
  readonly concurrency?: number;
  /** Called for each walk that is repeated because its days changed. */
  readonly onRepeat?: ((slice: Slice) => void) | undefined;
}

const walksPerDay = 5;
let spills = 0;

/**
 * Reads the planned days, several walks at a time, and passes whole days on, one call at a time. A walk whose days changed is
 * repeated. After the first failure no further walk begins; days that were read are still passed on. @throws the failure
 */
export async function readDays(
  options: ReadDaysOptions,
  days: readonly PlannedDay[],
  onDays: (days: readonly SpilledDay[]) => Promise<void>,
): Promise<void> {
  const queue = new SliceQueue(days, options.table.capDays);
  const failures: unknown[] = [];
  let passing = Promise.resolve();
  const passOn = (read: readonly SpilledDay[]) => {
    passing = passing.then(() => onDays(read));
    return passing;
  };
  const work = async () => {
    for (let slice = queue.next(); slice !== null && failures.length === 0; slice = queue.next())
      try {
        await readAndPassOn(options, { slice, queue }, passOn);
      } catch (error) {
        failures.push(error);
      }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 2 }, work));
  if (failures.length > 0) throw failures[0];
}

async function readAndPassOn(
  options: ReadDaysOptions,
  { slice, queue }: { readonly slice: Slice; readonly queue: SliceQueue },
  passOn: (days: readonly SpilledDay[]) => Promise<void>,
): Promise<void> {
  for (let walk = 1; ; walk += 1) {
    spills += 1;
    const folder = options.folder === null ? null : join(options.folder, `walk-${spills}`);
    try {
      const read = await readSlice(options, slice, new DaySpill(options.table, folder));
      queue.learn(
        slice.length,
        read.reduce((sum, { rows }) => sum + rows, 0),
      );
      return await passOn(read);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!isCutWalk(error)) throw error;
      options.onRepeat?.(slice);
      if (slice.length > 1) return queue.putBack(slice);
      if (walk === walksPerDay) throw error;
    } finally {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    }
  }
}
