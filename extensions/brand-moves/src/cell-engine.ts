import { engineNames } from '../../../server/src/analytics/store/coordination/engine-store.ts';
import { findOwnEngine } from '../../../server/src/backup/backed-engine.ts';
import { BackupError } from '../../../server/src/backup/backup-error.ts';
import type { Manifest } from '../../../server/src/backup/manifest.ts';
import type { MovingEngine } from '../../../server/src/backup/moving-engine.ts';
import type { OpenCell } from './move-connection.ts';

/**
 * Returns the engine with the events and datasets of the cell; null: they are in PostgreSQL.
 * @throws BackupError if that is not what is configured
 */
export async function findCellEngine({ analytics, engine }: OpenCell): Promise<MovingEngine | null> {
  const own = await findOwnEngine(analytics.client, engine);
  if (own === null && engine !== null)
    throw new BackupError(
      `The events of the analytics store are in PostgreSQL: unset ${engineNames.setting}, or move them with ` +
        '`brandport analytics copy`.',
    );
  return own;
}

/**
 * Checks that both cells have events in the same engine [D215].
 * @throws BackupError
 */
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
