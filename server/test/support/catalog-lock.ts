import type pg from 'pg';
import { waitFor } from './wait-for.ts';

/** Takes the lock that every write to a brand's catalog needs. @param connection open, and closed by `release` */
export async function holdCatalogLock(connection: pg.Client, brandId: number) {
  await connection.query('begin');
  await connection.query(
    `insert into brand_catalogs as c (brand_id, version, changed_at) values ($1, 1, now())
     on conflict (brand_id) do update set version = c.version + 1`,
    [brandId],
  );
  return {
    untilWaitedFor: () =>
      waitFor('a write that waits for the lock', async () => {
        const { rowCount } = await connection.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return rowCount === 1;
      }),
    release: async () => {
      await connection.query('rollback');
      await connection.end();
    },
  };
}
