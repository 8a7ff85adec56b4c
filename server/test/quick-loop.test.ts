// nightly: runs the test runner
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { stopCluster } from './support/cluster/stop-cluster.ts';
import { projectDir } from './support/server-process.ts';

const parent = mkdtempSync(join(tmpdir(), 'brandport-loop-'));
const dir = join(parent, 'cluster');
after(async () => {
  await stopCluster(dir);
  rmSync(parent, { recursive: true, force: true });
});

/** Runs node as an editor's test button or a terminal does, without anything that a test run prepares. */
async function runNode(...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], BRANDPORT_TEST_CLUSTER_DIR: dir };
  const options = { cwd: projectDir, env, timeout: 120_000 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
  return stdout + stderr;
}

const rules = 'server/src/brands/tests/brand.test.ts';
const feature = 'server/src/brands/tests/brand-input.test.ts';

describe('the quick loop', () => {
  it('runs pure rules without PostgreSQL', async () => {
    assert.match(await runNode('--test', rules), /fail 0/);
    assert.match(await runNode('server/test/run.ts', rules), /fail 0/);
    assert.equal(existsSync(dir), false);
  });

  it('runs a feature file with no preparation', async () => {
    assert.match(await runNode('--test', feature), /pass \d+[\s\S]*fail 0/);
    assert.equal(existsSync(dir), true);
  });

  it('searches the log of named files for secrets, that of the shared PostgreSQL too', async () => {
    const output = await runNode('server/test/run.ts', feature);
    assert.match(output, /fail 0[\s\S]*\d+ log lines searched for [1-9]\d* secrets: none found/);
  });
});
