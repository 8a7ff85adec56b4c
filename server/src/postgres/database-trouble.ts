import { TurnError } from '../lib/limit-wait.ts';
import { isConnectionFailure, isOverload, sqlState } from './sqlstate.ts';

export type DatabaseTrouble =
  | 'unreachable'
  | 'disk_full'
  | 'read_only'
  | 'out_of_memory'
  /** No connection or turn became free in time. */
  | 'no_turn'
  /** A statement or lock timed out, or another resource is exhausted. */
  | 'overloaded';

/** The troubles that do not affect reads. */
export type WriteTrouble = Extract<DatabaseTrouble, 'disk_full' | 'read_only'>;

const diskFull = '53100';
const outOfMemory = '53200';
/** A standby, or a database that its operator, or its provider because of a full disk, made read-only. */
const readOnlyTransaction = '25006';
/** The operating system's message; some of PostgreSQL's errors about files have no SQLSTATE for it. */
const noSpaceMessage = /No space left on device|Disk quota exceeded/;
const noSpaceCodes = new Set(['ENOSPC', 'EDQUOT']);

/** Returns the trouble behind a failure; null if the failure is the statement's own. */
export function troubleOf(error: unknown): DatabaseTrouble | null {
  if (error instanceof TurnError) return 'no_turn';
  const writeTrouble = writeTroubleOf(error);
  if (writeTrouble !== null) return writeTrouble;
  if (sqlState(error) === outOfMemory) return 'out_of_memory';
  if (isConnectionFailure(error)) return 'unreachable';
  return isOverload(error) ? 'overloaded' : null;
}

/** Returns whether a failure may come from a database that does not respond. A full disk, say, is another trouble. */
export function isDatabaseLost(error: unknown): error is Error {
  const trouble = troubleOf(error);
  return trouble === 'unreachable' || trouble === 'no_turn' || trouble === 'overloaded';
}

export function writeTroubleOf(error: unknown): WriteTrouble | null {
  const state = sqlState(error);
  if (state === readOnlyTransaction) return 'read_only';
  if (state === diskFull) return 'disk_full';
  if (!(error instanceof Error)) return null;
  if (state !== null) return noSpaceMessage.test(error.message) ? 'disk_full' : null;
  return noSpaceCodes.has((error as NodeJS.ErrnoException).code ?? '') ? 'disk_full' : null;
}
