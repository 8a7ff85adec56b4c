import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pauseAfter, YieldingWork } from '../apply-feeds.ts';

describe('work in the background', () => {
  it('continues immediately while the process has time to spare', () => {
    for (const utilization of [0, 0.05, 0.3]) assert.equal(pauseAfter(60, 60, utilization), 0);
  });

  it('is followed by longer pauses the busier the process is, up to one and a half times its fastest time', () => {
    const pauses = [0.4, 0.6, 0.8, 1].map((utilization) => pauseAfter(60, 60, utilization));
    assert.deepEqual(
      pauses,
      pauses.toSorted((a, b) => a - b),
    );
    assert.ok((pauses[0] as number) > 0);
    assert.equal(pauses[3], 90);
  });

  it('has shorter pauses if the requests slow it down already', () => {
    assert.deepEqual(
      [60, 80, 150, 200].map((workMs) => pauseAfter(workMs, 60, 1)),
      [90, 70, 0, 0],
    );
  });

  it('returns and throws what the function does', async () => {
    const work = new YieldingWork();
    assert.equal(
      await work.run(
        async () => 'done',
        () => 1,
      ),
      'done',
    );
    await assert.rejects(
      work.run(
        async () => {
          throw new Error('not done');
        },
        () => 1,
      ),
      /not done/,
    );
  });
});
