import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Gate } from '../semaphore.ts';

it('lets so many run at once, the first come first, with any outcome', async () => {
  const gate = new Gate(3);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const work = (index: number) =>
    gate.run(async () => {
      order.push(index);
      running += 1;
      most = Math.max(most, running);
      for (let turns = 0; turns < index % 4; turns += 1) await turn();
      running -= 1;
      if (index % 5 === 0) throw new Error(`${index}`);
      return index;
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => work(index)));
  assert.equal(most, 3);
  assert.deepEqual(
    order,
    Array.from({ length: 40 }, (_, index) => index),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 8);
  assert.equal(await gate.run(async () => 'again'), 'again');
});
