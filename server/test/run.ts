import { spawn } from 'node:child_process';
import { glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startEmbeddedPostgres } from '../src/postgres/embedded/embedded-postgres.ts';
import { makeTemplateDatabase } from './kit/test-database.ts';

/**
 * `npm test`: starts one PostgreSQL for the whole run, with the product's own supervisor and settings, makes the
 * template database that every test file clones, and runs node's test runner. Arguments: files or globs to run
 * instead of all, and options of the runner (`--test-name-pattern=…`).
 */
const root = new URL('../..', import.meta.url).pathname;
const dataDir = await mkdtemp(join(tmpdir(), 'brandport-test-'));
const postgres = await startEmbeddedPostgres({
  dataDir,
  log: (level, message) => {
    if (level === 'error') process.stderr.write(`${message}\n`);
  },
});
let exitCode = 1;
try {
  const address = await makeTemplateDatabase(postgres.connection);
  exitCode = await runTests({ ...process.env, BRANDPORT_TEST_DATABASE: JSON.stringify(address) });
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(exitCode);

async function runTests(env: NodeJS.ProcessEnv): Promise<number> {
  const args = process.argv.slice(2);
  const options = args.filter((arg) => arg.startsWith('--'));
  const named = args.filter((arg) => !arg.startsWith('--'));
  const files = named.length > 0 ? named : await Array.fromAsync(glob('server/**/*.test.ts', { cwd: root }));
  const runner = spawn(
    process.execPath,
    ['--test', '--test-reporter=spec', '--test-timeout=300000', ...options, ...files.sort()],
    { cwd: root, env, stdio: 'inherit' },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
  return new Promise((resolve) => runner.on('exit', (code) => resolve(code ?? 1)));
}
