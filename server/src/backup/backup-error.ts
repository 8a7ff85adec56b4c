import { StoreTrouble } from '../analytics/store/access.ts';

/** A backup or restore that cannot be done; the message tells the operator why and what to do. */
export class BackupError extends Error {}

/** Errors of the system and of PostgreSQL as such for operators; others are defects and stay as they are. */
export function explained(error: unknown, cancelled: AbortSignal, outcome: string): unknown {
  if (cancelled.aborted) return new BackupError(`Stopped. ${outcome}.`);
  if (error instanceof StoreTrouble) return new BackupError(`${outcome}: ${error.message}`, { cause: error });
  const { code, message } = error as { code?: unknown; message: string };
  const isLost = message === 'Connection terminated unexpectedly';
  if (typeof code !== 'string' && !isLost) return error;
  return new BackupError(`${outcome}: ${message}`, { cause: error });
}
