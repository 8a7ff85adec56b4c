import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLeakFinder } from './canaries.ts';
import { searchLog } from './search-log.ts';

const secret = 'c4n4ry-"quoted"-Zürich-8d21f0';
const bytes = Buffer.from(secret);

test('a secret is found in a log line in every form in which loggers show text', () => {
  const find = createLeakFinder(['another-secret', secret]);
  const shown = [
    `{"msg":"token ${secret}"}`,
    JSON.stringify({ authorization: `Bearer ${secret}` }),
    `GET /v1/products?key=${encodeURIComponent(secret)}`,
    JSON.stringify({ rawPacket: Buffer.from(`X-Key: ${secret}\r\n`) }),
    `0x${Buffer.from(`key ${secret}`).toString('hex')}`,
    ...['', 'a', 'ab', 'abc'].map((before) => Buffer.from(`${before}${secret} and more`).toString('base64')),
  ];
  for (const line of shown) assert.equal(find(line), secret, line);
});

test('a line without a secret is none, however much it looks like one', () => {
  const find = createLeakFinder([secret]);
  const near = [
    secret.slice(0, -1),
    secret.slice(1),
    secret.toUpperCase(),
    bytes.toString('hex').slice(2),
    '',
  ];
  for (const line of near) assert.equal(find(line), null, line);
});

test('the search of a run fails with the line that holds a secret, and tells how much it has looked at', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'brandport-test-'));
  t.after(() => rm(dir, { recursive: true }));
  const [log, canaries] = [join(dir, 'log'), join(dir, 'canaries')];
  await writeFile(canaries, `${JSON.stringify(secret)}\n${JSON.stringify(secret)}\n`);

  await writeFile(log, '{"msg":"one"}\n{"msg":"two"}\n');
  const clean = await searchLog(log, canaries);
  assert.deepEqual(clean, { isClean: true, report: '2 log lines searched for 1 secrets: none found' });

  await writeFile(log, `{"msg":"one"}\n{"msg":"two ${secret}"}\n`);
  const leaky = await searchLog(log, canaries);
  assert.equal(leaky.isClean, false);
  assert.match(leaky.report, /SECRETS IN THE LOG[\s\S]*"two c4n4ry/);
});
