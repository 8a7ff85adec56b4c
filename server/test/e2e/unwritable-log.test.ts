import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { seedBrand } from '../support/seed.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';

/** Opens a pipe without a reader: after 64 KiB a write blocks. */
async function openStalledPipe(): Promise<number> {
  const path = join(await makeDataDir(), 'log');
  execFileSync('mkfifo', [path]);
  return openSync(path, constants.O_RDWR);
}

const logs = {
  'on a full disk': async () => openSync('/dev/full', 'w'),
  'that nobody reads any more': openStalledPipe,
};

describe('a log', () => {
  for (const [what, open] of Object.entries(logs))
    it(`${what} holds up neither the start, nor requests, nor the end`, async () => {
      const stderr = await open();
      const server = await startServerProcess({ stderr, env: { LOG_LEVEL: 'trace' } });
      const { client } = await seedBrand(server);
      // Each request logs about 300 bytes, which fills the pipe.
      for (let n = 0; n < 20; n += 1) {
        const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/catalog/status')));
        assert.ok(answers.every(({ status }) => status === 200 || status === 429));
      }
      const stoppedAt = performance.now();
      assert.deepEqual(await server.stop(), { code: 0, signal: null });
      assert.ok(performance.now() - stoppedAt < 10_000);
      closeSync(stderr);
    });
});
