import { isConnectionFailure, isOverload, sqlState } from './sqlstate.ts';
import { TurnError } from './turn-error.ts';

/** Why the database does not do what a request needs, for reasons that are not the request's. */
export type DatabaseTrouble =
  | 'unreachable'
  | 'disk_full'
  | 'read_only'
  | 'out_of_memory'
  /** No connection or turn in time. */
  | 'no_turn'
  /** A statement or a lock over its time, or another resource that ran out. */
  | 'overloaded';

/** The troubles in which reads go on. */
export type WriteTrouble = Extract<DatabaseTrouble, 'disk_full' | 'read_only'>;

const diskFull = '53100';
const outOfMemory = '53200';
/** A standby, or a database that its operator (or its provider, when the disk is full) switched to read-only. */
const readOnlyTransaction = '25006';
/** The system's message; some of PostgreSQL's own errors about files have no SQLSTATE for it. */
const noSpaceMessage = /No space left on device|Disk quota exceeded/;
const noSpaceCodes = new Set(['ENOSPC', 'EDQUOT']);

/** Null when the failure is not the database's condition but the statement's. */
export function troubleOf(error: unknown): DatabaseTrouble | null {
  if (error instanceof TurnError) return 'no_turn';
  const writeTrouble = writeTroubleOf(error);
  if (writeTrouble !== null) return writeTrouble;
  if (sqlState(error) === outOfMemory) return 'out_of_memory';
  if (isConnectionFailure(error)) return 'unreachable';
  return isOverload(error) ? 'overloaded' : null;
}

/** Like `troubleOf`, for writes only. */
export function writeTroubleOf(error: unknown): WriteTrouble | null {
  const state = sqlState(error);
  if (state === readOnlyTransaction) return 'read_only';
  if (state === diskFull) return 'disk_full';
  if (!(error instanceof Error)) return null;
  if (state !== null) return noSpaceMessage.test(error.message) ? 'disk_full' : null;
  return noSpaceCodes.has((error as NodeJS.ErrnoException).code ?? '') ? 'disk_full' : null;
}
