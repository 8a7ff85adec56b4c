/**
 * A process that stands in for Brandport's server in tests: it takes the data directory, tells its parent how that
 * went, keeps it until it is told to stop (SIGTERM) or killed, and like the server leaves Ctrl-C to its own order.
 */
import { lockDataDir } from '../data-dir-lock.ts';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';

export interface StandInRequest {
  readonly take: 'lock' | 'postgres';
  readonly dataDir: string;
}

export type StandInAnswer =
  | {
      readonly taken: true;
      readonly connection?: Awaited<ReturnType<typeof startEmbeddedPostgres>>['connection'];
    }
  | { readonly taken: false; readonly error: string; readonly message: string };

const answer = (message: StandInAnswer) => process.send?.(message);

process.on('SIGINT', () => {});
process.once('message', async ({ take, dataDir }: StandInRequest) => {
  try {
    if (take === 'lock') {
      await lockDataDir(dataDir);
      setInterval(() => {}, 60_000); // a lock alone keeps no process alive
      answer({ taken: true });
    } else {
      const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
      process.once('SIGTERM', () => postgres.stop().then(() => process.exit(0)));
      answer({ taken: true, connection: postgres.connection });
    }
  } catch (error) {
    const { name, message } = error as Error;
    answer({ taken: false, error: name, message });
    process.disconnect();
  }
});
