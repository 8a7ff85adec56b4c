import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { it } from 'node:test';
import { readStream } from './read-stream.ts';

function streamOf(...chunks: string[]): Readable {
  return Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );
}

it('answers the bytes of a stream up to the limit, and null beyond', async () => {
  assert.equal((await readStream(streamOf('ab', 'c'), 3))?.toString(), 'abc');
  assert.equal(await readStream(streamOf('ab', 'cd'), 3), null);
  assert.equal((await readStream(streamOf(), 3))?.length, 0);
});

it('lets a stream that is too long go on to its end', async () => {
  const stream = streamOf(...Array.from({ length: 1_000 }, () => 'x'.repeat(1_000)));
  assert.equal(await readStream(stream, 10), null);
  assert.ok(!stream.destroyed);
  await finished(stream, { writable: false });
});

it('throws what breaks the stream', async () => {
  const stream = new Readable({ read() {} });
  stream.push('a');
  stream.destroy(new Error('cut off'));
  await assert.rejects(readStream(stream, 10), /cut off/);
});
