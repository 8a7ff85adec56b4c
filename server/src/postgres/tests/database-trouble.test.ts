import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { TurnError } from '../../lib/turn-wait.ts';
import { RefusedConnectionError, troubleOf, writeTroubleOf } from '../database-errors.ts';

function databaseError(code: string, message = 'x'): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { code });
}

it('the reasons why the database does not work are distinguished', () => {
  const troubles = [
    [databaseError('53100'), 'disk_full'],
    [databaseError('58030', 'could not write to file "pg_xact/0000": No space left on device'), 'disk_full'],
    [databaseError('58030', 'could not extend file "base/1/2": Disk quota exceeded'), 'disk_full'],
    [Object.assign(new Error('write failed'), { code: 'ENOSPC' }), 'disk_full'],
    [databaseError('25006', 'cannot execute INSERT in a read-only transaction'), 'read_only'],
    [databaseError('53200'), 'out_of_memory'],
    [databaseError('53000'), 'overloaded'],
    [databaseError('53400'), 'overloaded'],
    [databaseError('55P03'), 'overloaded'],
    [databaseError('57014'), 'overloaded'],
    [databaseError('53300'), 'unreachable'],
    [databaseError('57P01'), 'unreachable'],
    [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'unreachable'],
    [new RefusedConnectionError(databaseError('28P01')), 'unreachable'],
    [new TurnError('x'), 'no_turn'],
    [databaseError('23505', 'x'), null],
    [databaseError('58030', 'could not read block 3'), null],
    [new Error('No space left on device'), null],
    [null, null],
  ] as const;
  for (const [error, trouble] of troubles) {
    assert.equal(troubleOf(error), trouble, String((error as pg.DatabaseError)?.code));
    const ofWrites = trouble === 'disk_full' || trouble === 'read_only' ? trouble : null;
    assert.equal(writeTroubleOf(error), ofWrites);
  }
});
