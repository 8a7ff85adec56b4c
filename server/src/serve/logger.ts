import pino from 'pino';
import type { LogLevel } from '../config.ts';
import { currentJobIds, outsideOfJobs } from '../lib/job-ids.ts';
import type { Log } from '../lib/log.ts';
import { loggableError } from '../postgres/database-errors.ts';

/** Creates the log: one JSON line per event, on descriptor 2, because standard output is for the ready line. */
export function createLogger(level: LogLevel, destination: pino.DestinationStream): pino.Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: loggableError },
      mixin: () => ({ ...currentJobIds() }),
    },
    destination,
  );
}

/** The log for code that writes plain lines, about the process and never about a job. */
export function plainLog(logger: Pick<pino.BaseLogger, 'info' | 'warn' | 'error'>): Log {
  return (level, message) => outsideOfJobs(() => logger[level](message));
}

/**
 * Returns a destination that writes each line in a form for people: time, level and message, then the rest, in colour on a
 * terminal. Loads `pino-pretty`, so only for `LOG_FORMAT=pretty`.
 */
export async function prettyLog(
  destination: pino.DestinationStream,
  isTerminal: boolean,
): Promise<pino.DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({
    colorize: isTerminal,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return { write: (line) => destination.write(format(line)) };
}
