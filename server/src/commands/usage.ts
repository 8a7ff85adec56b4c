import type { BrandUsage, TableUsage, Usage } from '../usage/measure-usage.ts';
import type { AddCommand, CommandContext } from './command.ts';
import { dataSize } from './data-size.ts';
import { formatCount, textTable } from './text-table.ts';

interface UsageArguments {
  readonly json?: boolean;
}

/** Smaller tables and brands are added up in the last line; `--json` has all. */
const listedTables = 15;
const listedBrands = 20;

export const addUsage: AddCommand = (program, run) => {
  program
    .command('usage')
    .description('show what tables and brands occupy, how fast they grow and what retention would free')
    .option('--json', 'print all tables of all brands as one JSON document')
    .addHelpText(
      'after',
      '\nSizes of tables are exact. Rows, brands and growth (of the last 30 days) are counted in small tables and\nestimated from 32 MB of a large one. A statement that takes 30 s is left out.',
    )
    .action((args) => run((context) => usage(context, args)));
};

async function usage(
  { config, log, write, stopping }: CommandContext,
  { json }: UsageArguments,
): Promise<number> {
  const { runUsageCommand } = await import('../serve/usage-command.ts');
  const measured = await runUsageCommand(config, log, stopping());
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

/** The sums of each brand over all tables, the largest first. */
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
