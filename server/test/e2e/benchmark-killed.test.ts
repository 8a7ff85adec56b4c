// nightly: it creates the data of the benchmark for each of three signals
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { isRunning } from '../support/postgres-process.ts';
import { makeDataDir, projectDir } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const stepLimitMs = 120_000;

/** Starts the benchmark in its own temporary directory. */
async function startBenchmark() {
  const dir = await makeDataDir();
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
  return { child, dir, notes: () => notes };
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

/** Waits until the server is under load, stops the benchmark, and waits until all its processes and data are gone. */
async function assertLeavesNothing(signal: NodeJS.Signals): Promise<void> {
  const { child, dir, notes } = await startBenchmark();
  const pids = await waitFor(
    'all processes of the benchmark',
    async () => {
      assert.equal(child.exitCode, null, notes());
      const found = await descendantsOf(child.pid as number);
      const programs = ['keep.ts', 'server/src/main.ts', 'thin-server.ts', 'load-process.ts', 'postgres'];
      for (const program of programs)
        assert.ok((await countOf(program, found)) > 0, `no ${program}: ${notes()}`);
      return found;
    },
    stepLimitMs,
  );
  await end(child, signal);
  await waitFor(
    'the end of all processes',
    () => {
      const left = pids.filter(isRunning);
      assert.deepEqual(left, []);
      return true;
    },
    stepLimitMs,
  );
  await waitFor(
    'the removal of the data',
    async () => {
      const names = await readdir(dir);
      assert.deepEqual(
        names.filter((name) => name.startsWith('brandport-bench-')),
        [],
      );
      return true;
    },
    stepLimitMs,
  );
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const)
  test(`a benchmark that ends by ${signal} leaves no process and no data behind`, async () => {
    await assertLeavesNothing(signal);
  });
