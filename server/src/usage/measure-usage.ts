import type { Queryable } from '../postgres/database.ts';
import { isStatementTimeout } from '../postgres/sqlstate.ts';
import { type Keep, type PolicyName, policySettings } from '../retention/policy-settings.ts';
import { countDueFeedLines, countDueRows, findDueEvents } from './queries/find-due.ts';
import { listTableSizes, type TableSize } from './queries/list-table-sizes.ts';
import { sampleTable, type TableSample } from './queries/sample-table.ts';
import type { EngineTable, SizedEngine } from './sized-engine.ts';

const dayMs = 86_400_000;

export interface BrandUsage {
  /** null: of no brand. */
  readonly brandId: number | null;
  readonly rows: number;
  /** The brand's share of the table's bytes, by the size of its rows. */
  readonly bytes: number;
  readonly bytesPerDay: number | null;
}

export interface TableUsage {
  readonly table: string;
  /** On disk, with indexes: exact. */
  readonly bytes: number;
  /** The fraction of the table from which the other values are estimated; 1: counted. null: it took too long. */
  readonly sampled: number | null;
  readonly rows: number | null;
  /** null for tables whose rows have no time. */
  readonly bytesPerDay: number | null;
  readonly brands: readonly BrandUsage[];
}

export interface PolicyUsage {
  readonly policy: PolicyName;
  readonly keepDays: number | null;
  /** The rows that `brandport retain` would drop now; null: it took too long to count. */
  readonly dueRows: number | null;
  /** An estimate, indexes included. */
  readonly dueBytes: number | null;
}

export interface Usage {
  readonly tables: readonly TableUsage[];
  readonly policies: readonly PolicyUsage[];
}

export interface UsageOptions {
  readonly keep: Keep;
  readonly now: number;
  /** The last days, from which growth is estimated. */
  readonly growthDays: number;
  readonly cancelled: AbortSignal;
}

export interface MeasuredDatabases {
  readonly main: Queryable;
  /** The PostgreSQL of the analytics store. */
  readonly store: Queryable;
  /** The engine with its events and datasets; default: none. */
  readonly engine?: SizedEngine | null;
}

/**
 * Measures what tables and brands occupy, what comes in a day, and what retention would free. Sizes of tables are exact; the
 * rest is counted in small tables and estimated from a sample of large ones. A statement that exceeds the time limit leaves its
 * values out.
 */
export async function measureUsage(
  { main, store, engine = null }: MeasuredDatabases,
  { keep, now, growthDays, cancelled }: UsageOptions,
): Promise<Usage> {
  const since = new Date(now - growthDays * dayMs);
  const tables: TableUsage[] = [];
  for (const [database, schemas] of [
    [main, ['public', 'pgboss']],
    [store, ['analytics']],
  ] as const)
    for (const size of await listTableSizes(database, schemas)) {
      cancelled.throwIfAborted();
      const sample = await inTime(() => sampleTable(database, size, since));
      tables.push(tableUsage(size, sample, growthDays));
    }
  cancelled.throwIfAborted();
  for (const table of (await engine?.listTables(since)) ?? []) tables.push(engineUsage(table, growthDays));
  tables.sort((a, b) => b.bytes - a.bytes);
  const policies: PolicyUsage[] = [];
  for (const { policy } of policySettings) {
    cancelled.throwIfAborted();
    const keepDays = keep[policy];
    const before = new Date(now - (keepDays ?? 0) * dayMs);
    const due =
      keepDays === null
        ? { rows: 0, bytes: 0 }
        : await inTime(() => dueOf[policy]({ main, store, engine, tables }, before));
    policies.push({ policy, keepDays, dueRows: due?.rows ?? null, dueBytes: due?.bytes ?? null });
  }
  return { tables, policies };
}

interface Measured extends Required<MeasuredDatabases> {
  readonly tables: readonly TableUsage[];
}

type Due = (measured: Measured, before: Date) => Promise<{ rows: number; bytes: number }>;

const dueOf: Readonly<Record<PolicyName, Due>> = {
  'feed-lines': async ({ main, tables }, before) => {
    const { lines, packs } = await countDueFeedLines(main, before);
    return { rows: lines, bytes: packs * bytesPerRow(tables, 'public.stock_feed_packs') };
  },
  audit: dueOfTable('audit'),
  'key-usage': dueOfTable('key-usage'),
  refusals: dueOfTable('refusals'),
  'stock-changes': dueOfTable('stock-changes'),
  events: async ({ store, engine, tables }, before) => {
    const { events, partitionBytes } = await findDueEvents(store, before);
    const rowBytes = (await engine?.sumDueEventBytes(before)) ?? partitionBytes;
    return { rows: events, bytes: rowBytes + events * bytesPerRow(tables, 'analytics.event_claims') };
  },
};

function dueOfTable(policy: Parameters<typeof countDueRows>[1]): Due {
  return async ({ main, tables }, before) => {
    const { rows, table } = await countDueRows(main, policy, before);
    return { rows, bytes: rows * bytesPerRow(tables, table) };
  };
}

function bytesPerRow(tables: readonly TableUsage[], name: string): number {
  const table = tables.find((one) => one.table === name);
  return table === undefined || table.rows === null || table.rows === 0 ? 0 : table.bytes / table.rows;
}

function tableUsage(size: TableSize, sample: TableSample | null, growthDays: number): TableUsage {
  const table = `${size.schema}.${size.name}`;
  if (sample === null)
    return { table, bytes: size.bytes, sampled: null, rows: null, bytesPerDay: null, brands: [] };
  const sum = (of: 'rows' | 'bytes' | 'recentBytes') =>
    sample.brands.reduce((total, brand) => total + brand[of], 0);
  // Spreads indexes and free space over the rows.
  const onDisk = size.bytes / Math.max(sum('bytes'), 1);
  const perDay = (recentBytes: number) =>
    sample.hasGrowth ? Math.round((recentBytes * onDisk) / growthDays) : null;
  return {
    table,
    bytes: size.bytes,
    sampled: sample.fraction,
    rows: sum('rows'),
    bytesPerDay: perDay(sum('recentBytes')),
    brands: sample.brands.map(({ brandId, rows, bytes, recentBytes }) => ({
      brandId,
      rows,
      bytes: Math.round(bytes * onDisk),
      bytesPerDay: perDay(recentBytes),
    })),
  };
}

function engineUsage({ name, bytes, brands }: EngineTable, growthDays: number): TableUsage {
  const rows = brands.reduce((sum, brand) => sum + brand.rows, 0);
  const perRow = bytes / Math.max(rows, 1);
  const usages = brands.map(({ brandId, rows: ofBrand, recentRows }) => ({
    brandId,
    rows: ofBrand,
    bytes: Math.round(ofBrand * perRow),
    bytesPerDay: Math.round((recentRows * perRow) / growthDays),
  }));
  const bytesPerDay = usages.reduce((sum, usage) => sum + usage.bytesPerDay, 0);
  return { table: name, bytes, sampled: 1, rows, bytesPerDay, brands: usages };
}

/** null if a statement was cancelled by the time limit. */
async function inTime<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}
