import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../within.ts';

it('returns what the work resolves with, or rejects with its reason', async () => {
  assert.equal(await within(10_000, Promise.resolve('done'), () => 'late'), 'done');
  await assert.rejects(
    within(10_000, Promise.reject(new Error('broken')), () => 'late'),
    /broken/,
  );
});

it('answers for work that takes too long, which may fail later', async () => {
  const work = sleep(30).then(() => {
    throw new Error('nobody listens');
  });
  assert.equal(await within(1, work, () => 'late'), 'late');
  await assert.rejects(
    within(1, sleep(30), () => {
      throw new Error('too late');
    }),
    /too late/,
  );
  await sleep(40);
});
