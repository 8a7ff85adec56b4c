import type pg from 'pg';
import { engineNames } from '../../../server/src/analytics/store/coordination/engine-store.ts';
import { findKeptSince } from '../../../server/src/analytics/store/coordination/event-retention-store.ts';
import { BackupError } from '../../../server/src/backup/backup-error.ts';
import type { BrandPart, Manifest, SchemaPart } from '../../../server/src/backup/manifest.ts';
import { transactionOf } from '../../../server/src/postgres/client-transaction.ts';
import { readHistory } from '../../../server/src/postgres/schema/schema-history.ts';
import { findBrandName } from './import-store.ts';
import type { OpenStore } from './move-connection.ts';

/** @throws BackupError when the cell has the brand */
export async function requireNew(client: pg.Client, { id }: BrandPart): Promise<void> {
  const name = await findBrandName(client, id);
  if (name !== null)
    throw new BackupError(`The brand ${id} (${name}) is in this cell already. Nothing was written.`);
}

/** Rows mean the same only in the same tables: both cells run the same version. @throws BackupError */
export async function requireSameSchema({ client, schema }: OpenStore, part: SchemaPart): Promise<void> {
  const { migrations, revision } = await readHistory(client, schema);
  const nameAll = (all: readonly { name: string; checksum: string }[]) =>
    all.map(({ name, checksum }) => `${name} ${checksum}`).join();
  if (nameAll(migrations) === nameAll(part.migrations) && revision === part.revision) return;
  const last = (all: readonly { name: string }[]) => all.at(-1)?.name ?? 'none';
  throw new BackupError(
    `The file has the schema ${last(part.migrations)}, revision ${part.revision}; this cell has ${last(migrations)}, revision ` +
      `${revision}. Both cells have to run the same version. Nothing was written.`,
  );
}

/** Both cells must have events in the same engine [D215]. @throws BackupError */
export function requireSameEngine({ [engineNames.part]: part }: Manifest, hasEngine: boolean): void {
  if (hasEngine === (part !== undefined)) return;
  throw new BackupError(
    hasEngine
      ? `The brand's cell has its events in PostgreSQL, this cell in ${engineNames.engine}. Open the brand there, move that ` +
          "cell's events with `brandport analytics copy`, and export the brand again. Nothing was written."
      : `The brand's cell has its events in ${engineNames.engine}, this cell in PostgreSQL. Move this cell's events with ` +
          '`brandport analytics copy`, and import the file again. Nothing was written.',
  );
}

/**
 * The day before which events were dropped counts for a whole cell. With a later one, a cell would keep events that it has
 * declared dropped; with an earlier one, it would aggregate days again without their events.
 * @throws BackupError
 */
export async function requireSameEvents(
  client: pg.Client,
  { events_kept_since: since }: BrandPart,
): Promise<void> {
  const here = await findKeptSince(transactionOf(client));
  if (here === since) return;
  const text = (day: string | null) => (day === null ? 'from the beginning' : `since ${day}`);
  throw new BackupError(
    `The brand's cell has the events ${text(since)}, this cell ${text(here)}. Give both the same BRANDPORT_KEEP_EVENTS, run ` +
      '`brandport retain` in both, and export the brand again. Nothing was written.',
  );
}
