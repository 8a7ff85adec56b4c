import process from 'node:process';
import { startPostgresMeter } from '../load/measure-load.ts';
import { type BenchPostgres, connectMany } from '../postgres.ts';
import type { Measured } from '../rounds.ts';

export interface DurableUpdates {
  /** Returns rows per second of a closed loop on every connection, and the cost of a row. */
  rate(seconds: number): Promise<Measured>;
  close(): Promise<void>;
}

/** The number of updated rows; equals the number of places in an adjustment load. */
const updated = 16_000;

/**
 * Opens the yardstick of writes: `connections` connections through the driver, each of which updates one random row by
 * its key and commits durably. The table has `rows` rows. The updated rows are as far apart as the levels of an
 * adjustment load, so as many pages reach the write-ahead log.
 */
export async function openDurableUpdates(
  { address, pid }: Pick<BenchPostgres, 'address' | 'pid'>,
  connections: number,
  rows: number,
): Promise<DurableUpdates> {
  const clients = await connectMany(address, connections);
  const [first] = clients;
  await first?.query(
    `create table if not exists bench_rows (id integer primary key, n integer not null, filler text not null)
     with (fillfactor = 85)`,
  );
  // As wide as a stock level. Rows of an earlier run are kept.
  await first?.query(
    `insert into bench_rows select i, 0, repeat('x', 90)
     from generate_series((select coalesce(max(id), 0) + 1 from bench_rows), ${rows}) as i`,
  );
  const step = Math.max(1, Math.floor(rows / updated));
  return {
    rate: async (seconds) => {
      const postgres = await startPostgresMeter(pid);
      const [start, cpu] = [performance.now(), process.cpuUsage()];
      let done = 0;
      await Promise.all(
        clients.map(async (client) => {
          while (performance.now() < start + seconds * 1000) {
            const id = 1 + step * Math.floor(Math.random() * Math.floor(rows / step));
            await client.query({
              name: 'bench_row',
              text: 'update bench_rows set n = n + 1 where id = $1',
              values: [id],
            });
            done += 1;
          }
        }),
      );
      const { user, system } = process.cpuUsage(cpu);
      const taken = (performance.now() - start) / 1000;
      const inPostgres = (await postgres.milliseconds()) * 1000;
      return {
        value: done / taken,
        cpu: { generator: (user + system) / done, server: null, postgres: inPostgres / done },
      };
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}
