import type { Brandport } from '@brandport/client';
import type { DatasetTable } from '../columns/dataset-table.ts';
import { RowMismatch, rowFlattener } from '../columns/flat-rows.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { readPages, windowRevisionOf } from './dataset-source.ts';
import { type CountedDay, type DaySpill, emptyDigest, type SpilledDay } from './day-spill.ts';
import type { Slice } from './slices.ts';

export interface SliceReader {
  readonly brandport: Brandport;
  readonly table: DatasetTable;
  /** False if running totals are left out. */
  readonly cumulative: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Days that changed while their pages were read: the rows are a mixture. The same run may succeed later. */
class DaysChanged extends CliError {
  constructor(message: string) {
    super(message, exitCodes.partial);
  }
}

/** Returns whether a walk has to be repeated: its days changed, or its cursor expired. */
export function isCutWalk(error: unknown): boolean {
  return error instanceof DaysChanged || (error as { code?: unknown }).code === 'invalid_cursor';
}

/**
 * Reads all rows of a slice into the sink, and returns its days. @throws DaysChanged if a day changed between the first and
 * the last page; RowMismatch; BrandportError
 */
export async function readSlice(
  { brandport, table, cumulative, signal }: SliceReader,
  slice: Slice,
  sink: DaySpill,
): Promise<SpilledDay[]> {
  const window = { from: slice[0]?.date ?? '', to: slice.at(-1)?.date ?? '' };
  const flatten = rowFlattener(table, cumulative ? [] : ['cumulative']);
  let revision: number | null | undefined;
  for await (const page of readPages(brandport, table, window, { signal })) {
    const current = windowRevisionOf(page);
    revision ??= current;
    if (revision !== current)
      throw new DaysChanged(`${table.name}: days from ${window.from} to ${window.to} keep changing.`);
    for (const row of page.data) sink.add(flatten(row));
    await sink.drain();
  }
  const read = await sink.finish();
  const outside = [...read.keys()].find((date) => date < window.from || date > window.to);
  if (outside !== undefined)
    throw new RowMismatch(`${table.name} from ${window.from} to ${window.to} has a row of ${outside}.`);
  return withRevisions(slice, revision ?? null, read);
}

/**
 * Gives each day the revision as of which it was read: the planned one, unless a day of the window has changed since the
 * plan was made. The window's own revision is then right for all of its days, because none is greater.
 */
function withRevisions(
  slice: Slice,
  window: number | null,
  read: ReadonlyMap<string, CountedDay & { readonly path: string | null }>,
): SpilledDay[] {
  const planned = Math.max(...slice.map(({ revision }) => revision ?? 0));
  const isAsPlanned = window !== null && window <= planned;
  return slice.map(({ date, revision }) => {
    const { rows, digest, path } = read.get(date) ?? { rows: 0, digest: emptyDigest, path: null };
    return { date, rows, digest, path, revision: isAsPlanned ? revision : window };
  });
}
