import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { makeRunDir } from '../run-dir.ts';

const memory = mkdtempSync(join(tmpdir(), 'brandport-memory-'));
after(() => rmSync(memory, { recursive: true }));

describe('the directory of a run', () => {
  it('is in memory where there is room, and in the temporary directory elsewhere', () => {
    const inMemory = makeRunDir(memory);
    assert.equal(dirname(inMemory.path), memory);
    assert.equal(statSync(inMemory.temporary).mode & 0o7777, 0o1777);
    const elsewhere = makeRunDir(join(memory, 'missing'));
    rmSync(elsewhere.path, { recursive: true });
    assert.equal(dirname(elsewhere.path), tmpdir());
  });

  it('replaces those of killed runs, and leaves those of running ones and of their PostgreSQL', () => {
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const abandoned = join(memory, `brandport-run-${ended}-a`);
    const stillServed = join(memory, `brandport-run-${ended}-b`);
    const running = join(memory, `brandport-run-${process.pid}-c`);
    const foreign = join(memory, 'brandport-run-notes');
    for (const dir of [abandoned, stillServed, running, foreign])
      mkdirSync(join(dir, 'cluster/postgres'), { recursive: true });
    writeFileSync(join(stillServed, 'cluster/postgres/postmaster.pid'), `${process.pid}\n`);
    makeRunDir(memory);
    const left = [abandoned, stillServed, running, foreign].map((dir) => existsSync(dir));
    assert.deepEqual(left, [false, true, true, true]);
  });
});
