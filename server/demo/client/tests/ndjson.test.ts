import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ndjsonOf } from '../ndjson.ts';

async function chunksOf(values: Iterable<unknown>): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of ndjsonOf(values)) chunks.push(Buffer.from(chunk).toString('utf8'));
  return chunks;
}

test('values are sent one per line, and line breaks inside them do not split lines', async () => {
  assert.deepEqual(await chunksOf([{ name: 'Zeile\r\n2 …' }, 1]), ['{"name":"Zeile\\r\\n2 …"}\n1\n']);
  assert.deepEqual(await chunksOf([]), []);
});

test('a chunk is created on demand, and none is empty', async () => {
  let made = 0;
  function* values() {
    for (; made < 1_000; made++) yield made;
  }
  const chunks = ndjsonOf(values());
  await chunks.next();
  assert.ok(made < 600, `${made} values were made for the first chunk`);
  assert.equal((await chunks.next()).done, false);
  assert.equal((await chunks.next()).done, true);
  assert.equal(made, 1_000);
});
