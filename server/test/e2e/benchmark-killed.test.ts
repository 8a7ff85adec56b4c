// nightly: it creates the data of the benchmark twice
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { isRunning } from '../support/postgres-process.ts';
import { makeDataDir, projectDir } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const stepLimitMs = 120_000;

/** Starts the benchmark with its own temporary directory. */
function startBenchmark(dir: string) {
  const child = spawn(
    process.execPath,
    [
      join(projectDir, 'bench/src/main.ts'),
      '--quick',
      '--only',
      'list',
      '--seconds',
      '30',
      '--out',
      join(dir, 'out'),
    ],
    {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        TMPDIR: dir,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let notes = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    notes += text;
  });
  return { child, notes: () => notes };
}

/** The pids of all processes below a process, at any depth. */
async function descendantsOf(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // After the name of the program, which may contain spaces: state, parent.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    parents.set(Number(name), parent);
  }
  const found = [pid];
  for (let n = 0; n < found.length; n += 1)
    for (const [child, parent] of parents) if (parent === found[n]) found.push(child);
  return found.slice(1);
}

/** Counts the processes that run a program of this name or path. */
async function countOf(program: string, pids: readonly number[]): Promise<number> {
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return commands.filter((command) => command.includes(program)).length;
}

/** Waits until the server is under load, ends the benchmark, and waits until all its processes have ended. */
async function endUnderLoad(dir: string, signal: NodeJS.Signals): Promise<void> {
  const { child, notes } = startBenchmark(dir);
  const pids = await waitFor(
    'all processes of the benchmark',
    async () => {
      assert.equal(child.exitCode, null, notes());
      const found = await descendantsOf(child.pid as number);
      const programs = ['server/src/main.ts', 'thin-server.ts', 'load-process.ts', 'postgres'];
      for (const program of programs)
        assert.ok((await countOf(program, found)) > 0, `no ${program}: ${notes()}`);
      return found;
    },
    stepLimitMs,
  );
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
  await waitFor('the end of all processes', () => !pids.some(isRunning), stepLimitMs);
}

async function runDirs(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => name.startsWith('brandport-bench-'));
}

test('a benchmark that is killed leaves no process; the next run removes its data, and ends without any', async () => {
  const dir = await makeDataDir();
  await endUnderLoad(dir, 'SIGKILL');
  const [left, ...others] = await runDirs(dir);
  assert.ok(left !== undefined && others.length === 0);
  await endUnderLoad(dir, 'SIGTERM');
  assert.deepEqual(await runDirs(dir), []);
});
