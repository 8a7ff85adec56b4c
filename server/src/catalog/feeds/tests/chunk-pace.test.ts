import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChunkSize, pauseAfter, YieldingWork } from '../chunk-pace.ts';

it('a chunk gets the lines that hold the lock for 20 ms, from 50 to 1,000', () => {
  const size = new ChunkSize();
  size.note(size.lines, 40);
  assert.equal(size.lines, 100);
  size.note(100, 1_000);
  assert.equal(size.lines, 50);
  for (const lines of [100, 200, 400, 800, 1_000, 1_000]) {
    size.note(size.lines, 1);
    assert.equal(size.lines, lines, 'doubles at most');
  }
});

it('the end of a feed makes chunks smaller, and never larger', () => {
  const size = new ChunkSize();
  const { lines } = size;
  size.note(1, 0.1);
  assert.equal(size.lines, lines);
  size.note(lines / 2, 40);
  assert.equal(size.lines, lines / 4);
});

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
