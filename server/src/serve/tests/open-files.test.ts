import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { it } from 'node:test';
import { connectionLimits, connectionLimitsFor, findOpenFileLimit } from '../listeners.ts';

it('the limits of connections leave room for the other files of the process', () => {
  assert.deepEqual(connectionLimitsFor(null), connectionLimits);
  assert.deepEqual(connectionLimitsFor(1_000_000), connectionLimits);
  assert.deepEqual(connectionLimitsFor(1_024), { client: 784, internal: 112 });
  assert.deepEqual(connectionLimitsFor(256), { client: 112, internal: 16 });
  assert.deepEqual(connectionLimitsFor(64), { client: 28, internal: 4 });
});

it('the limit of open files is the soft one of the process', async () => {
  const shown = execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  const limit = await findOpenFileLimit();
  if (process.platform === 'linux') assert.equal(limit, Number(shown));
  else assert.equal(limit, null);
});
