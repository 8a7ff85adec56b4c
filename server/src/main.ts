import process from 'node:process';
import { Command } from 'commander';
import type pino from 'pino';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { EmbeddedPostgresError } from './postgres/embedded/embedded-postgres-error.ts';
import { MigrationError } from './postgres/schema/migration-error.ts';
import type { AggregateArguments } from './serve/aggregate-command.ts';
import type { DoctorArguments } from './serve/doctor-command.ts';
import { LogDestination } from './serve/log-destination.ts';
import { createLogger, plainLog } from './serve/logger.ts';
import { StartError } from './serve/start-error.ts';

// The only file that reads the environment, the arguments and the signals. Each command loads its own
// modules, so that an invalid value is reported at once, and a signal is handled while the rest loads.

/** Time for requests and jobs in flight after a stop signal; the rest of 10 s is for the database. */
const stopGraceMs = 6_500;
const stopLimitMs = 9_500;

const program = new Command('brandport').description('The Brandport server and its administration commands.');

program
  .command('serve', { isDefault: true })
  .description('serve both listeners (the default)')
  .action(() => run(serve));

program
  .command('migrate')
  .description('migrate the database to the latest schema, then exit')
  .action(() => run(migrateOnly));

program
  .command('aggregate')
  .description('aggregate learning analytics: the pending days, like the nightly run, or the given days')
  .option('--brand <id>', 'only this brand')
  .option('--from <day>', 'first day, UTC, such as 2026-03-01')
  .option('--to <day>', 'last day; default: yesterday')
  .action((args) => run((config, logger) => aggregate(config, logger, args)));

program
  .command('doctor')
  .description('recompute all derived figures and report mismatches; safe while the server is running')
  .option('--repair', 'repair derived figures (never quantities or ledger entries)')
  .option('--json', 'print the report as one JSON document')
  .addHelpText('after', '\nExits with 0 if everything adds up or was repaired, otherwise with 1.')
  .action((args) => run((config, logger) => doctor(config, logger, args)));

const logDestination = new LogDestination(2);
process.on('exit', () => logDestination.flushSync());
// A closed output must not end the server.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

await program.parseAsync(process.argv);

async function serve(config: Config, logger: pino.Logger): Promise<void> {
  const { signal } = stopOnSignals(logger);
  const { startServer } = await import('./serve/start-server.ts');
  const { welcomeText } = await import('./serve/welcome.ts');
  const server = await startServer(config, logger, signal).catch((error: unknown) => {
    if (signal.aborted) process.exit(0);
    throw error;
  });
  const { clientUrl, internalUrl } = server;
  // Before the ready line: a reader of that line finds the startup log and the welcome written.
  logDestination.flushSync();
  if (server.demo !== null) process.stderr.write(welcomeText(server, server.demo));
  process.stdout.write(`${JSON.stringify({ ready: true, client: clientUrl, internal: internalUrl })}\n`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  await server.stop(stopGraceMs);
  process.exit(0);
}

async function aggregate(config: Config, logger: pino.Logger, args: AggregateArguments): Promise<void> {
  const log = plainLog(logger);
  const { runAggregateCommand } = await import('./serve/aggregate-command.ts');
  const outcome = await runAggregateCommand(config, args, log, stopOnSignals(logger).signal);
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  process.exit(0);
}

async function doctor(config: Config, logger: pino.Logger, args: DoctorArguments): Promise<void> {
  const log = plainLog(logger);
  const { runDoctorCommand } = await import('./serve/doctor-command.ts');
  const write = (text: string) => void process.stdout.write(text);
  const { left } = await runDoctorCommand(config, args, log, write, stopOnSignals(logger).signal);
  // Not process.exit: a long report may not have been flushed into a pipe yet.
  process.exitCode = left === 0 ? 0 : 1;
}

/**
 * Aborted by SIGTERM or SIGINT. From then on, the process exits in time even if something hangs: the database
 * is safe against that.
 */
function stopOnSignals(logger: pino.Logger): AbortController {
  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return;
    logger.info({ signal }, 'stopping');
    stopping.abort(new StartError('Stopped before startup completed.'));
    setTimeout(() => {
      logger.error('shutdown timed out, exiting');
      process.exit(1);
    }, stopLimitMs).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  return stopping;
}

async function migrateOnly(config: Config, logger: pino.Logger): Promise<void> {
  const log = plainLog(logger);
  const { openMainDatabase } = await import('./serve/open-main-database.ts');
  const { migrateAnalyticsStore } = await import('./serve/open-analytics-store.ts');
  const database = await openMainDatabase(config, log, stopOnSignals(logger).signal);
  try {
    await migrateAnalyticsStore({ url: config.analyticsUrl, main: database.address, log });
  } finally {
    await database.stop();
  }
}

async function run(command: (config: Config, logger: pino.Logger) => Promise<void>): Promise<void> {
  try {
    const config = loadConfig(process.env, process.cwd());
    const logger = createLogger(config.logLevel, logDestination);
    // An uncaught exception ends the process, but is logged first, without the raw error on standard error.
    process.on('uncaughtException', (err) => {
      logger.fatal({ err }, 'uncaught exception, exiting');
      process.exit(1);
    });
    await command(config, logger);
  } catch (error) {
    logDestination.flushSync();
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
