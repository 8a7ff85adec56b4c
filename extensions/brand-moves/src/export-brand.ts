import { engineNames } from '../../../server/src/analytics/store/coordination/engine-store.ts';
import { findKeptSince } from '../../../server/src/analytics/store/coordination/event-retention-store.ts';
import { recordAudit } from '../../../server/src/audit/audit-store.ts';
import { ArchiveWriter } from '../../../server/src/backup/archive/archive-writer.ts';
import { closeNow } from '../../../server/src/backup/copy-connection.ts';
import { addManifest, listParts, type Manifest } from '../../../server/src/backup/manifest.ts';
import type { MovingEngine } from '../../../server/src/backup/moving-engine.ts';
import {
  openSnapshot,
  readSnapshotObjects,
  type Snapshot,
} from '../../../server/src/backup/snapshot-store.ts';
import { type WrittenTable, writeSchema } from '../../../server/src/backup/write-schema.ts';
import { findCell } from '../../../server/src/brands/cell-store.ts';
import { inTransaction, transactionOf } from '../../../server/src/postgres/client-transaction.ts';
import type { CellAddresses, ExportedBrand, MoveOptions } from '../../../server/src/serve/brand-mover.ts';
import { setExported } from './brand-state-store.ts';
import { type BrandTable, ofBrand, readLastIds } from './brand-tables-store.ts';
import { changeClosed, requireClosed, resource } from './close-brand.ts';
import { passFence } from './fence-store.ts';
import { findCellEngine, type OpenCell, type OpenStore, withCell } from './move-connection.ts';

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
  options: MoveOptions,
): Promise<ExportedBrand> {
  return withCell(addresses, async (cell) => {
    const { name } = await requireClosed(cell, brandId);
    const engine = await findCellEngine(cell);
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
      const output = { writer, main, analytics, engine };
      const manifest = await writeBrand(output, cell, { ...options, brandId, name });
      await addManifest(writer, manifest);
      const bytes = await writer.finish();
      const parts = listParts(manifest);
      const rows = parts.reduce((sum, part) => sum + part.rows, 0);
      await changeClosed(cell, brandId, 'brandport brand export', async (tx) => {
        await setExported(tx, brandId);
        await recordAudit(tx, { action: 'brand.export', ...resource(brandId), details: { rows } });
      });
      // A member is named after its table.
      const tables = new Set(parts.map(({ member }) => member.split('.', 2).join('.')));
      return { tables: tables.size, rows, bytes };
    } finally {
      for (const { client } of snapshots) await closeNow(client);
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
  { version, log, cancelled, brandId, name }: MoveOptions & { brandId: number; name: string },
): Promise<Omit<Manifest, 'format'>> {
  const to = { writer, log, cancelled };
  const write = async (snapshot: Snapshot, { schema, tables }: OpenStore) => {
    // The numbers that sequences generate and the queue are the cell's.
    const objects = { ...(await readSnapshotObjects(snapshot, schema)), sequences: [], queueVersion: null };
    const written = tables.map((table) => rowsOfBrand(table, brandId, engine?.leftBehind ?? new Set()));
    return writeSchema(to, snapshot, objects, written);
  };
  const mainPart = await write(main, cell.main);
  const analyticsPart = await write(analytics, cell.analytics);
  const rows = (await engine?.exportBrand(analytics, brandId, to)) ?? null;
  return {
    brandport: version,
    created_at: main.takenAt.toISOString(),
    seam: 'one_snapshot',
    main: mainPart,
    analytics: analyticsPart,
    ...(rows !== null && { [engineNames.part]: rows }),
    brand: {
      id: brandId,
      name,
      cell: await findCell(transactionOf(main.client)),
      last_ids: await readLastIds(main.client, cell.main.tables, brandId),
      events_kept_since: await findKeptSince(transactionOf(analytics.client)),
    },
  };
}

/** Selects the rows of a brand, without what each cell numbers itself. */
function rowsOfBrand(table: BrandTable, brandId: number, leftBehind: ReadonlySet<string>): WrittenTable {
  const { schema, name, renumbered } = table;
  const columns = table.columns.filter((column) => column !== renumbered);
  const isLeftOut = schema === 'analytics' && leftBehind.has(name);
  const order = renumbered === null ? '' : ` order by "${renumbered}"`;
  return {
    schema,
    name,
    columns,
    which: `where ${isLeftOut ? 'false' : ofBrand(table, brandId)}${order}`,
  };
}
