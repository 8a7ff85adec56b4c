import type { BackedEngine } from '../../../../server/src/backup/backed-engine.ts';
import { BackupError } from '../../../../server/src/backup/backup-error.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { deletionLock } from '../store/coordination/deletion-lock.ts';
import { findIdentity } from '../store/store-identity.ts';
import { dropTables, fillClickHouse, openEmptyClickHouse } from './restore-rows-store.ts';
import { writeClickHouse } from './snapshot-rows-store.ts';

export function backedByClickHouse(clickHouse: ClickHouse): BackedEngine {
  return {
    deletionLock,
    async requireStore(storeId) {
      if ((await findIdentity(clickHouse)) !== storeId)
        throw new BackupError(
          'The database of BRANDPORT_CLICKHOUSE_URL does not belong to this analytics store.',
        );
    },
    snapshot: (snapshot, to) => writeClickHouse(clickHouse, snapshot, to),
    openEmpty: () => openEmptyClickHouse(clickHouse),
    restore: (client, part, from) => fillClickHouse(clickHouse, client, part, from),
    discard: () => dropTables(clickHouse),
  };
}
