import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../src/postgres/embedded/embedded-postgres.ts';
import { searchLog } from './support/search-log.ts';
import { makeTemplateDatabase } from './support/test-database.ts';

/**
 * `npm test`: starts one PostgreSQL for the whole run, with the product's own supervisor and settings, makes the
 * template database that every test file clones, and runs node's test runner. Arguments: files or globs to run
 * instead of all, and options of the runner (`--test-name-pattern=…`). In the end everything that was logged is
 * searched for every secret that the tests used: one found fails the run.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const runDir = await mkdtemp(join(tmpdir(), 'brandport-test-'));
const logFile = join(runDir, 'log');
const canaryFile = join(runDir, 'canaries');
for (const file of [logFile, canaryFile]) await writeFile(file, '', { mode: 0o600 });
const postgres = await startEmbeddedPostgres({
  dataDir: join(runDir, 'data'),
  log: (level, message) => {
    if (level === 'error') process.stderr.write(`${message}\n`);
    appendFileSync(logFile, `${message}\n`);
  },
  // Several test files at a time, each with the pools of a whole server.
  settings: { max_connections: '400' },
});
let exitCode = 1;
try {
  const address = await makeTemplateDatabase(postgres.connection);
  appendFileSync(canaryFile, `${JSON.stringify(address.password)}\n`);
  exitCode = await runTests({
    ...process.env,
    BRANDPORT_TEST_DATABASE: JSON.stringify(address),
    BRANDPORT_TEST_LOG: logFile,
    BRANDPORT_TEST_CANARIES: canaryFile,
  });
  const search = await searchLog(logFile, canaryFile);
  process.stderr.write(`${search.report}\n`);
  if (!search.isClean) exitCode ||= 1;
} finally {
  await postgres.stop();
  await rm(runDir, { recursive: true, force: true });
}
process.exit(exitCode);

async function runTests(env: NodeJS.ProcessEnv): Promise<number> {
  const args = process.argv.slice(2);
  const options = args.filter((arg) => arg.startsWith('--'));
  const named = args.filter((arg) => !arg.startsWith('--'));
  const files = named.length > 0 ? named : await Array.fromAsync(glob('server/**/*.test.ts', { cwd: root }));
  const runner = spawn(
    process.execPath,
    [
      '--test',
      '--test-concurrency=2',
      '--test-reporter=spec',
      '--test-timeout=300000',
      ...options,
      ...files.sort(),
    ],
    { cwd: root, env, stdio: 'inherit' },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
  return new Promise((resolve) => runner.on('exit', (code) => resolve(code ?? 1)));
}
