import { type Config, ConfigError } from '../config.ts';
import { shownAddress } from '../lib/addresses.ts';
import { packageVersion } from '../serve/lifetime.ts';
import type { CommandContext } from './command.ts';

/** Returns what the first line of a server's log says: what runs here, and with which settings. Without secrets. */
export function describeStart({ role, databaseUrl, dataDir, changedSettings }: Config) {
  return {
    version: packageVersion,
    node: process.versions.node,
    role,
    database: databaseUrl === null ? `embedded in ${dataDir}` : shownAddress(databaseUrl),
    settings: changedSettings,
  };
}

/** Time for requests and jobs in flight after a stop signal; the rest of 10 s is for the database. */
const stopGraceMs = 6_500;

export async function serve(context: CommandContext): Promise<never> {
  const { config, logger, log, cancelled: signal, write, tell, exit } = context;
  logger.info(describeStart(config), 'starting');
  // Only if that was asked for: without a setting, a person may read the output of a pipe.
  const isJson = config.logFormat === 'json';
  const { startServer } = await import('../serve/start-server.ts');
  const { firstSteps, firstStepsText, welcomeLine, welcomeText } = await import('../serve/welcome.ts');
  const server = await startServer(config, logger, signal).catch(async (error: unknown) => {
    if (signal.aborted) exit(0);
    // Nothing else on standard error is plain text then.
    if (!isJson || config.logLevel === 'silent') throw error;
    const { describeCommandFailure } = await import('./command-failure.ts');
    logger.fatal(describeCommandFailure(error));
    return exit(error instanceof ConfigError ? 2 : 1);
  });
  const { clientUrl, internalUrl, demo } = server;
  const needsBrand = server.isWithoutBrands && config.role !== 'worker';
  if (needsBrand && isJson) log('info', firstSteps);
  // Before the ready line: a reader of that line finds the startup log and the welcome written.
  tell(demo === null ? '' : isJson ? welcomeLine(server, demo) : welcomeText(server, demo));
  if (needsBrand && !isJson) tell(firstStepsText);
  write(`${JSON.stringify({ ready: true, client: clientUrl, internal: internalUrl })}\n`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  await server.stop(stopGraceMs);
  return exit(0);
}
