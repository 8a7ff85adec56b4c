import { engineNames } from '../analytics/store/events-store.ts';
import { Closing } from '../lib/closing.ts';
import { loadEngineExtension } from '../serve/load-extensions.ts';
import { openInstallation } from '../serve/open-installation.ts';
import { StartError } from '../serve/start-error.ts';
import type { CommandContext } from './command.ts';
import { textTable } from './text-output.ts';

/**
 * Moves the events and datasets of the analytics store from PostgreSQL to the engine that the settings name. Servers and workers
 * must be stopped.
 * @throws StartError, StoreMismatch, EmbeddedPostgresError, MigrationError
 */
export async function copyAnalytics({ config, log, write, cancelled }: CommandContext): Promise<number> {
  const engine = await loadEngineExtension(config.engineUrl);
  if (engine === null) throw new StartError(`Set ${engineNames.setting} to the address to copy to.`);
  await using closing = new Closing();
  const { analytics: address } = await openInstallation(config, log, closing);
  const rows = await engine
    .copyFromPostgres({
      address,
      signal: cancelled,
      onCopied: (table, month, count) => log('info', `copied ${count} rows of ${table} in ${month}`),
    })
    .catch((error: unknown) => {
      if (!cancelled.aborted) throw error;
      throw new StartError('Stopped. The store is unchanged in PostgreSQL; the next copy starts over.');
    });
  write(textTable(['table', 'rows'], Object.entries(rows)));
  return 0;
}
