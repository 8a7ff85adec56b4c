import { engineNames } from '../../../server/src/analytics/store/coordination/engine-store.ts';
import { recordAudit } from '../../../server/src/audit/audit-store.ts';
import { ArchiveWriter } from '../../../server/src/backup/archive/archive-writer.ts';
import {
  addManifest,
  type Manifest,
  type SchemaPart,
  type TablePart,
} from '../../../server/src/backup/manifest.ts';
import type { MovingEngine } from '../../../server/src/backup/moving-engine.ts';
import { listEventMonths } from '../../../server/src/backup/queries/list-stored-objects.ts';
import {
  closeSnapshot,
  openSnapshot,
  readSnapshotObjects,
  type Snapshot,
  streamSomeRows,
} from '../../../server/src/backup/snapshot-store.ts';
import { findCell } from '../../../server/src/brands/cell-store.ts';
import type { Log } from '../../../server/src/lib/log.ts';
import { inTransaction, transactionOf } from '../../../server/src/postgres/client-transaction.ts';
import { serverInitiator } from '../../../server/src/postgres/transaction.ts';
import type { CellAddresses, ExportedBrand } from '../../../server/src/serve/brand-mover.ts';
import { setExported } from './brand-state-store.ts';
import { type BrandTable, ofBrand, readLastIds } from './brand-tables-store.ts';
import { findCellEngine } from './cell-engine.ts';
import { changeClosed, requireClosed, resource } from './close-brand.ts';
import { readEventsKeptSince } from './event-days-store.ts';
import { passFence } from './fence-store.ts';
import { type OpenCell, withCell } from './move-connection.ts';

export interface ExportOptions {
  /** The version of Brandport, for the manifest. */
  readonly version: string;
  readonly log: Log;
  readonly cancelled: AbortSignal;
}

/**
 * Writes all rows of a closed brand to a new file, in the format of a backup. As nothing can change the brand, its rows in both
 * databases and in an engine belong together. The file is complete and flushed to the disk when this returns; otherwise there
 * is none.
 * @throws BackupError when the brand is open or does not exist; what PostgreSQL reports, or the reason of `cancelled`
 */
export async function exportBrand(
  addresses: CellAddresses,
  brandId: number,
  file: string,
  options: ExportOptions,
): Promise<ExportedBrand> {
  return withCell(addresses, async (cell) => {
    const { name } = await requireClosed(cell, brandId);
    const engine = await findCellEngine(cell.analytics.client, cell.engine);
    if (engine !== null)
      await inTransaction(cell.analytics.client, async (tx) => {
        await passFence(cell.analytics.client, brandId);
        await engine.settle(tx, brandId);
      });

    const writer = await ArchiveWriter.create(file);
    const snapshots: Snapshot[] = [];
    try {
      const main = await openSnapshot(addresses.main);
      snapshots.push(main);
      const analytics = addresses.analytics === null ? main : await openSnapshot(addresses.analytics);
      snapshots.push(analytics);
      const { manifest, ...sum } = await writeBrand({ writer, main, analytics, engine }, cell, {
        ...options,
        brandId,
        name,
      });
      await addManifest(writer, manifest);
      const bytes = await writer.finish();
      await changeClosed(cell, brandId, serverInitiator('brandport brand export'), async (tx) => {
        await setExported(tx, brandId);
        await recordAudit(tx, { action: 'brand.export', ...resource(brandId), details: { rows: sum.rows } });
      });
      return { ...sum, bytes };
    } finally {
      for (const snapshot of new Set(snapshots)) closeSnapshot(snapshot);
      await writer.discard();
    }
  });
}

interface Output {
  readonly writer: ArchiveWriter;
  readonly main: Snapshot;
  readonly analytics: Snapshot;
  /** null: all rows are in PostgreSQL. */
  readonly engine: MovingEngine | null;
}

async function writeBrand(
  { writer, main, analytics, engine }: Output,
  cell: OpenCell,
  { version, log, cancelled, brandId, name }: ExportOptions & { brandId: number; name: string },
): Promise<{ manifest: Omit<Manifest, 'format'>; tables: number; rows: number }> {
  const parts: SchemaPart[] = [];
  const sum = { tables: 0, rows: 0 };
  const leftBehind = engine?.leftBehind ?? new Set();
  for (const [snapshot, { schema, tables }] of [
    [main, cell.main],
    [analytics, cell.analytics],
  ] as const) {
    const { migrations, revision } = await readSnapshotObjects(snapshot, schema);
    const written: TablePart[] = [];
    for (const table of tables) {
      const { part, stream } = memberOf(snapshot, table, { brandId, leftBehind });
      const measure = await writer.addCompressed(part.member, stream, cancelled);
      log('info', `${table.schema}.${table.name}: ${measure.rows} rows, ${measure.bytes} bytes`);
      written.push({ ...part, ...measure });
      sum.tables += 1;
      sum.rows += measure.rows;
    }
    parts.push({
      snapshot_at: snapshot.takenAt.toISOString(),
      postgres: snapshot.postgres,
      migrations: migrations.map(({ name: file, checksum }) => ({ name: file, checksum })),
      revision,
      tables: written,
      sequences: [],
      event_months: schema === 'analytics' ? await listEventMonths(snapshot.client) : [],
      queue_version: null,
    });
  }
  const rows = (await engine?.exportBrand(analytics, brandId, { writer, log, cancelled })) ?? null;
  for (const part of rows?.tables ?? []) sum.rows += part.rows;
  sum.tables += new Set(rows?.tables.map((part) => part.name)).size;
  const [mainPart, analyticsPart] = parts as [SchemaPart, SchemaPart];
  const brand = {
    id: brandId,
    name,
    cell: await findCell(transactionOf(main.client)),
    last_ids: await readLastIds(main.client, cell.main.tables, brandId),
    events_kept_since: await readEventsKeptSince(analytics.client),
  };
  const manifest = {
    brandport: version,
    created_at: main.takenAt.toISOString(),
    seam: 'one_snapshot' as const,
    main: mainPart,
    analytics: analyticsPart,
    ...(rows !== null && { [engineNames.part]: rows }),
    brand,
  };
  return { manifest, ...sum };
}

/** Returns the part of a table in the manifest, without its measure, and the stream of the brand's rows. */
function memberOf(
  snapshot: Snapshot,
  table: BrandTable,
  { brandId, leftBehind }: { readonly brandId: number; readonly leftBehind: ReadonlySet<string> },
) {
  const { schema, name, renumbered } = table;
  const columns = table.columns.filter((column) => column !== renumbered);
  const isLeftOut = schema === 'analytics' && leftBehind.has(name);
  const which = isLeftOut ? 'false' : ofBrand(table, brandId);
  const order = renumbered === null ? '' : ` order by "${renumbered}"`;
  return {
    part: { schema, name, columns, member: `${schema}.${name}.copy.zst` },
    stream: streamSomeRows(snapshot, { schema, name, columns }, `where ${which}${order}`),
  };
}
