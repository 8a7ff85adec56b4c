import type { BackedEngine } from '../../../../server/src/backup/backed-engine.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { deletionLock } from '../store/coordination/deletion-lock.ts';
import { dropTables, fillClickHouse, openEmptyClickHouse } from './restore-rows-store.ts';
import { requireIdentity, writeClickHouse } from './snapshot-rows-store.ts';

/** Backs up and restores the rows of a ClickHouse database. */
export function backedByClickHouse(clickHouse: ClickHouse): BackedEngine {
  return {
    deletionLock,
    requireStore: (storeId) => requireIdentity(clickHouse, storeId),
    snapshot: (snapshot, to) => writeClickHouse(clickHouse, snapshot, to),
    openEmpty: () => openEmptyClickHouse(clickHouse),
    restore: (client, part, from) => fillClickHouse(clickHouse, client, part, from),
    discard: () => dropTables(clickHouse),
  };
}
