import { systemClock } from '../lib/clock.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import { connect, openEngine, openInstallation } from '../serve/open-installation.ts';
import { type BrandUsage, measureUsage, type TableUsage, type Usage } from '../usage/measure-usage.ts';
import type { CommandContext } from './command.ts';
import { dataSize, formatCount, textTable } from './text-output.ts';

/** A statement that takes longer is left out of the result. */
const limits = { connect: 5_000, lock: 5_000, statement: 30_000, answer: 40_000, idleTransaction: 60_000 };
/** The last days, from which growth is estimated. */
const growthDays = 30;

/** Smaller tables and brands are added up in the last line; `--json` has all. */
const listedTables = 15;
const listedBrands = 20;

/** Measures the data, next to a server or not. Reads only. @throws StartError, EmbeddedPostgresError, MigrationError */
export async function usage(
  { config, log, write, cancelled }: CommandContext,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  await using closing = new AsyncDisposableStack();
  const { main, analytics } = await openInstallation(config, log, closing);
  const open = (address: DatabaseAddress) =>
    connect({ address, applicationName: 'brandport-usage', poolSize: 1, readPoolSize: 1, limits }, closing);
  const [database, store] = [open(main.address), open(analytics)];
  const engine = await openEngine(config.engineUrl, closing, store);
  const options = { keep: config.keep, now: systemClock.now(), growthDays, cancelled };
  const measured = await measureUsage({ main: database, store, engine }, options);
  write(json ? `${JSON.stringify(usageToJson(measured), null, 2)}\n` : usageText(measured));
  return 0;
}

function usageToJson({ tables, policies }: Usage) {
  return {
    tables: tables.map(({ bytesPerDay, brands, ...table }) => ({
      ...table,
      bytes_per_day: bytesPerDay,
      brands: brands.map(({ brandId, rows, bytes, bytesPerDay: perDay }) => ({
        brand_id: brandId,
        rows,
        bytes,
        bytes_per_day: perDay,
      })),
    })),
    policies: policies.map(({ policy, keepDays, dueRows, dueBytes }) => ({
      policy,
      keep_days: keepDays,
      due_rows: dueRows,
      due_bytes: dueBytes === null ? null : Math.round(dueBytes),
    })),
  };
}

function usageText({ tables, policies }: Usage): string {
  const size = (bytes: number | null) => (bytes === null ? '-' : dataSize(Math.round(bytes)));
  const about = ({ sampled, rows }: TableUsage) =>
    rows === null ? 'not counted' : `${sampled === 1 ? '' : 'about '}${formatCount(rows)}`;
  const rest = tables.slice(listedTables);
  const tableRows = tables
    .slice(0, listedTables)
    .map((table) => [table.table, size(table.bytes), about(table), size(table.bytesPerDay)]);
  if (rest.length > 0)
    tableRows.push([`${rest.length} others`, size(rest.reduce((sum, { bytes }) => sum + bytes, 0)), '', '']);
  const brandRows = brandTotals(tables)
    .slice(0, listedBrands)
    .map(({ brandId, rows, bytes, bytesPerDay }) => [
      brandId === null ? 'none' : String(brandId),
      size(bytes),
      formatCount(rows),
      size(bytesPerDay),
    ]);
  const policyRows = policies.map(({ policy, keepDays, dueRows, dueBytes }) => [
    policy,
    keepDays === null ? 'forever' : `${keepDays} days`,
    dueRows === null ? 'not counted' : formatCount(dueRows),
    size(dueBytes),
  ]);
  return [
    textTable(['table', 'size', 'rows', 'growth per day'], tableRows),
    textTable(['brand', 'size, estimated', 'rows', 'growth per day'], brandRows),
    textTable(['policy', 'kept', 'rows due', 'would free, estimated'], policyRows),
  ].join('\n');
}

function brandTotals(tables: readonly TableUsage[]): BrandUsage[] {
  const totals = new Map<number | null, BrandUsage>();
  for (const { brands } of tables)
    for (const { brandId, rows, bytes, bytesPerDay } of brands) {
      const before = totals.get(brandId) ?? { brandId, rows: 0, bytes: 0, bytesPerDay: 0 };
      totals.set(brandId, {
        brandId,
        rows: before.rows + rows,
        bytes: before.bytes + bytes,
        bytesPerDay: (before.bytesPerDay ?? 0) + (bytesPerDay ?? 0),
      });
    }
  return [...totals.values()].sort((a, b) => b.bytes - a.bytes);
}
