import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { makeClusterDir } from '../memory-dir.ts';

const memory = mkdtempSync(join(tmpdir(), 'brandport-memory-'));
after(() => rmSync(memory, { recursive: true }));

describe('the directory of a run', () => {
  it('is in memory where there is room, and in the temporary directory elsewhere', () => {
    const inMemory = makeClusterDir(memory);
    assert.equal(dirname(inMemory), memory);
    const elsewhere = makeClusterDir(join(memory, 'missing'));
    rmSync(elsewhere, { recursive: true });
    assert.equal(dirname(elsewhere), tmpdir());
  });

  it('replaces those of killed runs, and leaves those of running ones and of their PostgreSQL', () => {
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const abandoned = join(memory, `brandport-test-memory-${ended}-a`);
    const stillServed = join(memory, `brandport-test-memory-${ended}-b`);
    const running = join(memory, `brandport-test-memory-${process.pid}-c`);
    const foreign = join(memory, 'brandport-test-memory-notes');
    for (const dir of [abandoned, stillServed, running, foreign])
      mkdirSync(join(dir, 'postgres'), { recursive: true });
    writeFileSync(join(stillServed, 'postgres/postmaster.pid'), `${process.pid}\n`);
    makeClusterDir(memory);
    const left = [abandoned, stillServed, running, foreign].map((dir) => existsSync(dir));
    assert.deepEqual(left, [false, true, true, true]);
  });
});
