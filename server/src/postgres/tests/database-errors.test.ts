import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import pg from 'pg';
import { ApiError } from '../../errors/api-error.ts';
import {
  brokenConstraint,
  isConnectionFailure,
  isRetryable,
  loggableError,
  sqlState,
} from '../database-errors.ts';

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

const secret = 'canary-7d02';

test('the further properties of an error are left out: rows, raw requests, URLs', () => {
  const database = Object.assign(new pg.DatabaseError('duplicate key', 1, 'error'), {
    code: '23505',
    table: 'products',
    constraint: 'products_sku_unique',
    detail: `Key (sku)=(${secret}) already exists.`,
    where: `unnamed portal with parameters: $1 = '${secret}'`,
    internalQuery: secret,
  });
  const parser = Object.assign(new Error('Parse Error'), { code: 'HPE', rawPacket: Buffer.from(secret) });
  const url = Object.assign(new TypeError('Invalid URL'), { input: `redis://:${secret}@host` });
  for (const error of [database, parser, url])
    assert.ok(!JSON.stringify(loggableError(error)).includes(secret), error.message);
  const shown = loggableError(database);
  assert.equal(shown.code, '23505');
  assert.equal(shown.message, 'duplicate key');
  assert.deepEqual([shown.table, shown.constraint], ['products', 'products_sku_unique']);
  assert.match(shown.stack ?? '', /^\s+at /);
});

test('a data exception is shown without the value that it quotes, in its stack and as a cause too', () => {
  const exception = Object.assign(
    new pg.DatabaseError(`invalid input syntax for type integer: "${secret}"`, 1, 'error'),
    { code: '22P02' },
  );
  const shown = loggableError(new Error('the job failed', { cause: exception }));
  assert.equal(shown.cause?.message, 'invalid input syntax for type integer');
  assert.ok(!JSON.stringify(shown).includes(secret));
});

test('what is thrown without being an error is not shown', () => {
  for (const thrown of [secret, { secret }, null, undefined])
    assert.ok(!JSON.stringify(loggableError(thrown)).includes(secret));
});

test('a failure that the job queue made a plain object of is shown like an error', () => {
  const failure = Object.assign(
    new pg.DatabaseError(`invalid input syntax for type integer: "${secret}"`, 1, 'error'),
    { code: '22P02', severity: 'ERROR', table: 'jobs', detail: secret },
  );
  // As pg-boss does it.
  const event = { ...failure, message: failure.message, stack: failure.stack, queue: 'aggregate-days' };
  const shown = loggableError(event);
  assert.deepEqual(
    [shown.message, shown.code, shown.queue, shown.table],
    ['invalid input syntax for type integer', '22P02', 'aggregate-days', 'jobs'],
  );
  assert.match(shown.stack ?? '', /^\s+at /);
  assert.ok(!JSON.stringify(shown).includes(secret));
});
