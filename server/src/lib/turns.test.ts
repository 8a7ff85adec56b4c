import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { takeTurn } from './turns.ts';

it('gives one turn in each round of the event loop, in order', async () => {
  const log: string[] = [];
  const work = async (name: string, turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      await takeTurn();
      log.push(name);
    }
  };
  let rounds = 0;
  let isDone = false;
  const count = async () => {
    for (; !isDone; rounds += 1) await setImmediate();
  };
  const counting = count();
  await Promise.all([work('a', 3), work('b', 2), work('c', 3)]);
  isDone = true;
  await counting;
  assert.deepEqual(log, ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'c']);
  assert.ok(rounds >= log.length - 1, `${rounds} rounds`);
});
