import process from 'node:process';
import { Command } from 'commander';
import pino from 'pino';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { EmbeddedPostgresError } from './postgres/embedded/embedded-postgres-error.ts';
import { MigrationError } from './postgres/migrations.ts';
import { openMainDatabase } from './serve/main-database.ts';
import { StartError } from './serve/start-error.ts';
import { startServer } from './serve/start-server.ts';
import { welcomeText } from './serve/welcome.ts';

// The only file that reads the environment, the arguments and the signals.

const stopGraceMs = 8_000;
const stopLimitMs = 9_500;

const program = new Command('brandport').description('The Brandport server and its operating commands.');

program
  .command('serve', { isDefault: true })
  .description('serve both listeners (the default)')
  .action(() => run(serve));

program
  .command('migrate')
  .description('bring the database to the newest schema, and end')
  .action(() => run(migrateOnly));

await program.parseAsync(process.argv);

async function serve(config: Config, logger: pino.Logger): Promise<void> {
  const stopped = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopped.resolve(signal));

  const starting = startServer(config, logger);
  const server = await Promise.race([starting, stopped.promise.then(() => null)]);
  if (server !== null) {
    const { clientUrl, internalUrl } = server;
    process.stdout.write(`${JSON.stringify({ ready: true, client: clientUrl, internal: internalUrl })}\n`);
    if (server.demo !== null) process.stderr.write(welcomeText(server, server.demo));
  }
  logger.info({ signal: await stopped.promise }, 'stopping');
  // Whatever hangs, the process is gone in time; the database is safe against that.
  setTimeout(() => {
    logger.error('could not stop in time; ending now');
    process.exit(1);
  }, stopLimitMs).unref();
  await (await starting).stop(stopGraceMs);
  process.exit(0);
}

async function migrateOnly(config: Config, logger: pino.Logger): Promise<void> {
  const database = await openMainDatabase(config, (level, message) => logger[level](message));
  await database.stop();
}

async function run(command: (config: Config, logger: pino.Logger) => Promise<void>): Promise<void> {
  try {
    const config = loadConfig(process.env, process.cwd());
    // Standard output is for the ready line alone.
    await command(config, pino({ level: config.logLevel }, pino.destination(2)));
  } catch (error) {
    process.stderr.write(`${isForOperators(error) ? error.message : (error as Error).stack}\n`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
}

function isForOperators(error: unknown): error is Error {
  return (
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof MigrationError
  );
}
