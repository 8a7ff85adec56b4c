import { parseInstant } from '@brandport/client';
import { type InputRow, inputRows } from '../input/input-rows.ts';
import { Problems, RowReader } from '../input/row-reader.ts';
import { quantity } from '../output/quantity.ts';
import { readLevel } from '../sync/wanted/read-rows.ts';
import { levelKey } from '../sync/wanted/wanted-catalog.ts';
import { type FeedFile, feedColumns, type KnownStock, withFeedColumns } from './feed-rows.ts';
import type { LastFeed } from './send-feed.ts';

export interface LintOptions {
  readonly file: FeedFile;
  /** The catalog to compare with, for the SKUs of the file; null: only the file is examined. */
  readonly known: ((skus: ReadonlySet<string>) => Promise<KnownStock>) | null;
  /** The last feed of the source. */
  readonly last: LastFeed | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The largest share of stocked levels that the file may set to 0; default 0.5. */
  readonly maxZeroed?: number | undefined;
}

export interface LintResult {
  readonly lines: number;
  /** Rows that the service would refuse, or that are probably wrong: the feed should not be sent. */
  readonly errors: Problems;
  readonly warnings: Problems;
}

/** Times may be ahead by the difference of two clocks. */
const clockToleranceMs = 60_000;

/** A feed with fewer lines than this share of the last one is probably cut. */
const leastShare = 0.1;

interface Row {
  readonly at: string;
  readonly quantity: number;
  readonly reserved: number | undefined;
}

/** Examines the file of a stock feed before it is sent. Memory holds a compact record for each row. */
export async function lintFeed(options: LintOptions): Promise<LintResult> {
  const result = { lines: 0, errors: new Problems(), warnings: new Problems() };
  const rows = new Map<string, Row>();
  let isFirst = true;
  for await (const row of inputRows(withFeedColumns(options.file))) {
    if (isFirst) lintColumns(row, result);
    isFirst = false;
    result.lines += 1;
    lintRow(row, rows, { options, result });
  }
  if (isFirst) result.errors.add(options.file.path, 'it has no rows');
  if (options.known !== null) await compare(rows, options.known, { options, result });
  lintSize(options, result);
  return result;
}

function lintColumns(row: InputRow, { warnings }: LintResult): void {
  const known = new Set<string>(feedColumns);
  for (const name of row.columns)
    if (!known.has(name)) warnings.add(row.file, `the column "${name}" is not one of a feed, and is ignored`);
}

function lintRow(
  row: InputRow,
  rows: Map<string, Row>,
  { options, result }: { options: LintOptions; result: LintResult },
): void {
  const reader = new RowReader(row, result.errors);
  const { sku, location, quantity, reserved, updatedAt } = readLevel(reader, options.file.location);
  if (!reader.isFine) return;
  if ((parseInstant(updatedAt ?? '')?.getTime() ?? 0) > options.now + clockToleranceMs)
    result.warnings.add(row, `updated_at ${updatedAt} is in the future: it would block later quantities`);
  if (reserved !== undefined && reserved > quantity)
    result.warnings.add(row, `reserved ${reserved} is more than the quantity ${quantity}`);
  const key = levelKey(sku, location);
  const earlier = rows.get(key);
  const isEqual = earlier?.quantity === quantity && earlier.reserved === reserved;
  if (earlier !== undefined)
    (isEqual ? result.warnings : result.errors).add(
      row,
      `${sku} at ${location} is also on line ${earlier.at}`,
    );
  rows.set(key, { at: String(row.line), quantity, reserved });
}

/** Compares the rows with the stored catalog. */
async function compare(
  rows: ReadonlyMap<string, Row>,
  known: NonNullable<LintOptions['known']>,
  { options, result }: { options: LintOptions; result: LintResult },
): Promise<void> {
  const parts = [...rows].map(([key, row]) => ({ key, row, ...splitKey(key) }));
  const { locations, parents, unknownSkus, unverified, quantities } = await known(
    new Set(parts.map(({ sku }) => sku)),
  );
  let stocked = 0;
  const zeroed: string[] = [];
  for (const { key, row, sku, location } of parts) {
    const at = { file: options.file.path, line: Number(row.at) };
    if (unknownSkus.has(sku)) result.errors.add(at, `the SKU ${sku} is not known`);
    if (parents.has(sku)) result.errors.add(at, `${sku} has variants: name the SKUs of its variants`);
    if (locations !== null && !locations.has(location))
      result.errors.add(at, `the location ${location} is not known`);
    const stored = quantities.get(key) ?? 0;
    if (stored > 0) stocked += 1;
    if (stored > 0 && row.quantity === 0) zeroed.push(`${sku} at ${location}`);
  }
  if (unverified > 0)
    result.warnings.add(
      options.file.path,
      `${quantity(unverified, 'SKU')} could not be verified: name an export with --against`,
    );
  if (zeroed.length === 0) return;
  const isTooMuch = zeroed.length > stocked * (options.maxZeroed ?? 0.5);
  const names = zeroed.slice(0, 3).join(', ');
  const message = `${zeroed.length} of ${stocked} levels with stock become 0: ${names}${zeroed.length > 3 ? ', …' : ''}`;
  (isTooMuch ? result.errors : result.warnings).add(options.file.path, message);
}

function lintSize({ file, last }: LintOptions, { lines, errors }: LintResult): void {
  if (last === null || lines >= last.lines * leastShare) return;
  const fewer = Math.round((1 - lines / last.lines) * 100);
  errors.add(
    file.path,
    `it has ${quantity(lines, 'line')}, ${fewer} % fewer than the last one of its source (${last.lines}, ${last.sent_at})`,
  );
}

function splitKey(key: string): { sku: string; location: string } {
  const [sku = '', location = ''] = key.split('\u0000');
  return { sku, location };
}
