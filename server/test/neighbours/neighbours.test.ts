// processes, alone: it measures how long a brand's calls take next to another one
import assert from 'node:assert/strict';
import process from 'node:process';
import { describe, it } from 'node:test';
import { describeMeasured, listRefused, listSlow, measure } from './measure.ts';
import { noises } from './noises.ts';
import type { Kinds } from './quiet.ts';
import { createWorld, type World } from './world.ts';

const {
  BRANDPORT_NEIGHBOURS_SECONDS = '1',
  BRANDPORT_NEIGHBOURS_ONLY,
  BRANDPORT_NEIGHBOURS_AGAINST,
} = process.env;
const forMs = Number(BRANDPORT_NEIGHBOURS_SECONDS) * 1_000;
const names = BRANDPORT_NEIGHBOURS_ONLY?.split(',') ?? Object.keys(noises);
const pace = { everyMs: 250, forMs };
/** A pause of the machine does not decide: what is slow is measured again. */
const attempts = 3;
/** Milliseconds. */
const limits = { within: 250, beyond: 1_000 };

// At the top of the file: the server ends with what started it.
const world = await createWorld();
const alone = await measureAlone(world);
/** The server of another checkout, which is measured in turn with this one and shown only. */
const other =
  BRANDPORT_NEIGHBOURS_AGAINST === undefined ? null : await createWorld(BRANDPORT_NEIGHBOURS_AGAINST);
const otherAlone = other === null ? {} : await measureAlone(other);

async function measureAlone(quietWorld: World): Promise<Kinds> {
  await measure(quietWorld, null, pace);
  return (await measure(quietWorld, null, { ...pace, forMs: Math.max(forMs, 5_000) })).kinds;
}

describe('a brand at its limits', () => {
  it('has a neighbour whose calls succeed', () => assert.deepEqual(listRefused(alone), []));

  for (const name of names)
    it(`is not felt by another one: ${name} (${noises[name]?.resource})`, async (t) => {
      const limitMs = noises[name]?.isBeyondBounds === true ? limits.beyond : limits.within;
      if (other !== null)
        t.diagnostic(`other: ${describeMeasured(name, otherAlone, await measure(other, name, pace))}`);
      let slow: unknown[] = [];
      for (let n = 0; n < attempts; n += 1) {
        const measured = await measure(world, name, pace);
        t.diagnostic(describeMeasured(name, alone, measured));
        assert.deepEqual(listRefused(measured.kinds), []);
        slow = listSlow(measured.kinds, limitMs);
        if (slow.length === 0) return;
      }
      assert.deepEqual(slow, []);
    });
});
