import type { DatabaseAddress } from '../../../server/src/postgres/connection-options.ts';
import { connectMany } from '../postgres.ts';

export interface DurableUpdates {
  /** Rows per second of a closed loop on every connection. */
  rate(seconds: number): Promise<number>;
  close(): Promise<void>;
}

const rows = 100_000;

/**
 * The yardstick of writes: `connections` connections through the driver, each of which changes one row by its key, commits
 * it durably and goes on to another one at random.
 */
export async function openDurableUpdates(
  address: DatabaseAddress,
  connections: number,
): Promise<DurableUpdates> {
  const clients = await connectMany(address, connections);
  const [first] = clients;
  await first?.query(
    'create table if not exists bench_counters (id integer primary key, n integer not null)',
  );
  await first?.query(
    `insert into bench_counters select i, 0 from generate_series(1, ${rows}) as i on conflict do nothing`,
  );
  return {
    rate: async (seconds) => {
      const start = performance.now();
      let done = 0;
      await Promise.all(
        clients.map(async (client) => {
          while (performance.now() - start < seconds * 1000) {
            const id = 1 + Math.floor(Math.random() * rows);
            await client.query({
              name: 'bench_counter',
              text: 'update bench_counters set n = n + 1 where id = $1',
              values: [id],
            });
            done += 1;
          }
        }),
      );
      return done / ((performance.now() - start) / 1000);
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}
