import pino from 'pino';
import type { LogLevel } from '../config.ts';
import { currentJobIds, outsideOfJobs } from '../lib/job-ids.ts';
import type { Log } from '../lib/log.ts';
import { loggableError } from '../postgres/loggable-error.ts';

/**
 * Creates the log: one JSON line per event, with the time in ISO 8601, and the job's id if a job wrote it. Standard output is
 * reserved for the ready line, so the server logs to descriptor 2.
 */
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
