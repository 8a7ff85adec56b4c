import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { ApiError } from '../../errors/api-error.ts';
import { brokenConstraint, isConnectionFailure, isRetryable, sqlState } from '../database-errors.ts';

function databaseError(code: string, message = 'x'): pg.DatabaseError {
  const error = new pg.DatabaseError(message, 0, 'error');
  error.code = code;
  return error;
}

const socketError = (code: string) => Object.assign(new Error('x'), { code });

describe('an error that a second try may get over', () => {
  it('is a deadlock or a serialisation failure, and nothing else', () => {
    for (const code of ['40P01', '40001']) assert.ok(isRetryable(databaseError(code)));
    for (const code of ['23505', '23503', '57P01', '42P01', '40002'])
      assert.ok(!isRetryable(databaseError(code)));
    for (const error of [socketError('40P01'), new Error('deadlock detected'), null, undefined, '40001'])
      assert.ok(!isRetryable(error));
  });
});

describe('a database that cannot be reached', () => {
  for (const code of ['08000', '08003', '08006', '57P01', '57P02', '57P03', '53300'])
    it(`is what SQLSTATE ${code} says`, () => assert.ok(isConnectionFailure(databaseError(code))));

  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND'])
    it(`is what ${code} of a socket says`, () => assert.ok(isConnectionFailure(socketError(code))));

  for (const message of [
    'Connection terminated unexpectedly',
    'Connection terminated',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])
    it(`is what "${message}" says`, () => assert.ok(isConnectionFailure(new Error(message))));

  it('is not the message of a refused statement, even if it mentions connections', () => {
    for (const error of [
      databaseError('23505', 'Connection terminated'),
      databaseError('42601'),
      new ApiError('not_found'),
      new TypeError('x is not a function'),
      null,
    ])
      assert.ok(!isConnectionFailure(error));
  });
});

describe('what PostgreSQL says of an error', () => {
  it('is read from its own errors only', () => {
    const error = databaseError('23505');
    error.constraint = 'products_sku_unique';
    assert.deepEqual([sqlState(error), brokenConstraint(error)], ['23505', 'products_sku_unique']);
    const imitation = Object.assign(new Error('x'), { code: '23505', constraint: 'products_sku_unique' });
    assert.deepEqual([sqlState(imitation), brokenConstraint(imitation)], [null, null]);
  });
});
