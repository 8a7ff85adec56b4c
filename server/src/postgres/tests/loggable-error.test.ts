import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { loggableError } from '../database-errors.ts';

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
