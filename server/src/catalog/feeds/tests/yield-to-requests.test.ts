import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pauseAfter, yieldingToRequests } from '../yield-to-requests.ts';

describe('work in the background', () => {
  it('continues immediately while the process has time to spare', () => {
    for (const utilization of [0, 0.05, 0.3]) assert.equal(pauseAfter(60, utilization), 0);
  });

  it('is followed by longer pauses the busier the process is, up to five times as long as the work', () => {
    const pauses = [0.4, 0.6, 0.8, 1].map((utilization) => pauseAfter(60, utilization));
    assert.deepEqual(
      pauses,
      pauses.toSorted((a, b) => a - b),
    );
    assert.ok((pauses[0] as number) > 0);
    assert.equal(pauses[3], 300);
  });

  it('returns and throws what the function does', async () => {
    assert.equal(await yieldingToRequests(async () => 'done'), 'done');
    await assert.rejects(
      yieldingToRequests(async () => {
        throw new Error('not done');
      }),
      /not done/,
    );
  });
});
