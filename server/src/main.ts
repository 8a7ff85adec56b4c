import { fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import process from 'node:process';
import { CommanderError } from 'commander';
import type pino from 'pino';
import type { RunAction } from './commands/command.ts';
import { createProgram } from './commands/program.ts';
import { ConfigError, loadConfig } from './config.ts';
import { StartError } from './serve/lifetime.ts';
import { createLogger, LogDestination, plainLog, prettyLog } from './serve/logger.ts';

// The only file that reads the environment, the arguments and the signals. The commands are in `commands/`; each loads its
// own modules, so that an invalid value is reported at once, and a signal is handled while the rest loads.

/** After a stop signal, the process exits within this time; a little less than supervisors usually wait. */
const stopLimitMs = 9_500;

const logDestination = new LogDestination(2);
process.on('exit', () => logDestination.flushSync());
// A closed output must not end the server. What a command wrote has to arrive, though: `flush`.
process.stderr.on('error', () => {});
let outputFailure: NodeJS.ErrnoException | null = null;
process.stdout.on('error', (error) => {
  outputFailure ??= error;
});

await createProgram(runAction)
  .parseAsync(process.argv)
  .catch(async (error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    // Help and the version are results; everything else is a mistake of the caller, like an invalid variable.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    if (error.exitCode === 0) await flush().catch(endWith);
  });

/**
 * Waits until the operating system has what was written to standard output [D300]. A reader that has gone needs no more of it.
 * @throws StartError if it cannot be written, such as on a full disk
 */
async function flush(): Promise<void> {
  // The error is emitted after the callback of a write that failed.
  await new Promise<void>((resolve) => process.stdout.write('', () => setImmediate(resolve)));
  if (outputFailure !== null && outputFailure.code !== 'EPIPE')
    throw new StartError(
      `Standard output cannot be written: ${outputFailure.message}. The output is not complete.`,
    );
}

/** Waits like `flush`, after a secret that is shown once: it needs its reader. @throws StartError with `lost` */
async function flushSecret(lost: string): Promise<void> {
  await flush().catch((error: Error) => {
    throw new StartError(`${error.message} ${lost}`);
  });
  if (outputFailure !== null) throw new StartError(`The reader of standard output has gone. ${lost}`);
}

/** @throws StartError if the output is discarded: Node opens the null device for a standard output that is closed */
function requireReader(): void {
  const { rdev } = fstatSync(1);
  if (rdev !== 0 && rdev === statSync(devNull).rdev)
    throw new StartError(
      'Standard output is closed or /dev/null: the secret, which is shown once, would be lost. Nothing was changed.',
    );
}

async function endWith(error: unknown): Promise<never> {
  const { describeCommandFailure } = await import('./commands/command-failure.ts');
  logDestination.flushSync();
  process.stderr.write(`${describeCommandFailure(error)}\n`);
  process.exit(error instanceof ConfigError ? 2 : 1);
}

async function runAction(action: Parameters<RunAction>[0]): Promise<void> {
  try {
    const config = loadConfig(process.env, process.cwd());
    const isTerminal = process.stderr.isTTY === true;
    const isPretty = config.logFormat === null ? isTerminal : config.logFormat === 'pretty';
    const output = isPretty ? await prettyLog(logDestination, isTerminal) : logDestination;
    const logger = createLogger(config.logLevel, output);
    for (const name of config.unknownVariables)
      logger.warn(`${name} is not a variable of Brandport and has no effect`);
    // An uncaught exception ends the process, but is logged first, without the raw error on standard error.
    process.on('uncaughtException', (err) => {
      logger.fatal({ err }, 'uncaught exception, exiting');
      process.exit(1);
    });
    let cancelled: AbortSignal | undefined;
    // Not process.exit: a long report may not have been flushed into a pipe yet.
    const code = await action({
      config,
      logger,
      log: plainLog(logger),
      get cancelled() {
        cancelled ??= stopOnSignals(logger);
        return cancelled;
      },
      write: (text) => void process.stdout.write(text),
      tell: (text) => {
        logDestination.flushSync();
        process.stderr.write(text);
      },
      flush,
      flushSecret,
      requireReader,
      exit: (status) => process.exit(status),
    });
    await flush();
    process.exitCode = code;
  } catch (error) {
    await endWith(error);
  }
}

/**
 * Returns a signal that is aborted by SIGTERM or SIGINT. From then on, the process exits in time even if something hangs:
 * the database is safe against that.
 */
function stopOnSignals(logger: pino.Logger): AbortSignal {
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
  return stopping.signal;
}
