/**
 * A process that replaces Brandport's server in tests: it takes the data directory, reports the outcome to its parent, keeps the
 * directory until it is stopped (SIGTERM) or killed, and like the server ignores Ctrl-C.
 */
import { lockDataDir } from '../data-dir.ts';
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
