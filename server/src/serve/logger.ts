import pino from 'pino';
import type { LogLevel } from '../config.ts';
import type { Log } from '../lib/log.ts';
import { loggableError } from '../postgres/loggable-error.ts';

/**
 * Creates the log: one JSON line per event, with the time in ISO 8601. Standard output is reserved for the ready line, so the
 * server logs to descriptor 2.
 */
export function createLogger(level: LogLevel, destination: pino.DestinationStream): pino.Logger {
  return pino(
    { level, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: loggableError } },
    destination,
  );
}

/** The log for code that writes plain lines. */
export function plainLog(logger: Pick<pino.BaseLogger, 'info' | 'warn' | 'error'>): Log {
  return (level, message) => logger[level](message);
}
