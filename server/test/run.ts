import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { withPromises } from './support/promises.ts';
import type { Ring } from './support/run-plan.ts';

/**
 * `npm test`: runs node's test runner on rings [D111], or on the named files or globs, with the runner's own options.
 * `--promise <n>` names the tests of a row of docs/promises.md. A run of rings has its own PostgreSQL [D83]; named files start
 * or reuse the shared one. At the end, everything that was logged is searched for the secrets that the tests used. Loads little
 * before the tests start.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const args = withPromises(process.argv.slice(2), () => readFileSync(join(root, 'docs/promises.md'), 'utf8'));
const ringOptions: Readonly<Record<string, readonly Ring[]>> = {
  '--processes': ['processes'],
  '--extensions': ['extensions'],
  '--nightly': ['nightly'],
  '--submission': ['quick', 'processes', 'extensions'],
};
const rings = args.flatMap((arg) => ringOptions[arg] ?? []);
const ownOptions = [...Object.keys(ringOptions), '--profile', '--retry-failed'];
const options = args.filter((arg) => arg.startsWith('--') && !ownOptions.includes(arg));
const profiles = args.includes('--profile');
const named = args.filter((arg) => !arg.startsWith('--'));
if (named.length === 0 && options.includes('--watch')) {
  process.stderr.write('Name the test files to watch: npm run test:watch -- <file>…\n');
  process.exit(2);
}

const runDir = mkdtempSync(join(tmpdir(), 'brandport-test-'));
const logFile = join(runDir, 'log');
const canaryFile = join(runDir, 'canaries');
const profileFile = join(runDir, 'profile');
const passedFile = join(runDir, 'passed');
for (const file of [logFile, canaryFile, profileFile, passedFile]) writeFileSync(file, '', { mode: 0o600 });
const env = {
  ...process.env,
  BRANDPORT_TEST_LOG: logFile,
  BRANDPORT_TEST_CANARIES: canaryFile,
  // A data directory that servers were started on, created when a test needs it.
  BRANDPORT_TEST_STARTED_DATA: join(runDir, 'started-data'),
  ...(profiles && { BRANDPORT_TEST_PROFILE: profileFile }),
  // Node keeps what it compiled and the TypeScript without its types: half of the time to load the service.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules/.cache/compiled'),
};
/** Entries, single files or groups, that are run again at most. */
const mostRetried = 10;
/** Tests that compare times, need a free processor [D219], fill a process or start a system: at the end, one after another. */
const timed = [
  'server/test/neighbours/neighbours.test.ts',
  'server/test/neighbours/neighbours-long.test.ts',
  'server/test/e2e/brand-fairness.test.ts',
  'server/test/e2e/hostile-load.test.ts',
  'server/src/http/tests/dense-bodies.test.ts',
  'server/src/http/tests/locked-rows.test.ts',
  'server/test/deploy/restart-behind-proxies.test.ts',
  'server/test/failover/patroni.test.ts',
  'server/test/drills/drills.test.ts',
  'server/test/deploy/debian-root.test.ts',
];
// Milliseconds for a test. `support/time-limit.ts` limits processes and the files of a group, this run limits itself.
const limitMs = named.length === 0 ? 900_000 : 600_000;
const runLimitMs = 5_000_000;
// Three at a time: tests that start servers wait for disks and clocks. An engine of an extension uses all processors.
const concurrency = args.includes('--extensions') ? 2 : 3;
const runnerOptions = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${join(root, 'server/test/support/passed-files.ts')}`,
  `--test-reporter-destination=${passedFile}`,
  `--test-timeout=${limitMs}`,
];
// Imports of the workspaces lead to their TypeScript [D272].
const timeLimit = `--import=${join(root, 'server/test/support/time-limit.ts')}`;
const defaults = ['--conditions=source', timeLimit, ...runnerOptions];
const kill = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => kill.abort(signal));
if (!options.includes('--watch'))
  setTimeout(() => {
    process.stderr.write(`✖ The run is not done after ${runLimitMs / 60_000} minutes.\n`);
    kill.abort('SIGTERM');
  }, runLimitMs).unref();

let exitCode = 1;
try {
  exitCode = named.length > 0 ? await runNamed() : await runAll();
  const { searchLog } = await import('./support/search-log.ts');
  const search = await searchLog(logFile, canaryFile);
  process.stderr.write(`${search.report}\n`);
  if (!search.isClean) exitCode ||= 1;
  if (profiles) await printProfile();
} finally {
  rmSync(runDir, { recursive: true, force: true });
}
process.exit(exitCode);

async function runNamed(): Promise<number> {
  const { followClusterLog } = await import('./support/cluster/cluster-log.ts');
  const { sharedClusterDir } = await import('./support/cluster/cluster-place.ts');
  const copyClusterLog = followClusterLog(sharedClusterDir(), logFile);
  const code = await runTests(named, env);
  copyClusterLog();
  return code;
}

async function runAll(): Promise<number> {
  const { startRunCluster } = await import('./support/cluster/run-cluster.ts');
  const { planRun } = await import('./support/run-plan.ts');
  const { describeUnfinished, listUnfinishedGroups } = await import('./support/group-progress.ts');
  const cluster = await startRunCluster(logFile, canaryFile);
  try {
    const files = globSync('{cli,client,console,extensions,server}/**/*.test.ts', {
      cwd: root,
      exclude: ['**/node_modules'],
    });
    const groupsDir = join(runDir, 'groups');
    const entries = planRun(root, files, groupsDir, rings.length > 0 ? rings : ['quick']);
    const environment = { ...env, BRANDPORT_TEST_CLUSTER: JSON.stringify(cluster.testCluster) };
    const atOnce = entries.filter((entry) => !timed.includes(entry));
    let code = await runTests(atOnce, environment);
    if (code !== 0 && args.includes('--retry-failed')) code = await retryFailed(atOnce, environment);
    const alone = timed.filter((file) => entries.includes(file));
    if (alone.length > 0) code = (await runTests(alone, environment, 1)) || code;
    const unfinished = listUnfinishedGroups(groupsDir);
    for (const group of unfinished) process.stderr.write(`${describeUnfinished(group)}\n`);
    return code === 0 && unfinished.length > 0 ? 1 : code;
  } finally {
    await cluster.stop();
  }
}

/**
 * Runs the entries that failed once more, one at a time: most tests that fail only next to two others wait for
 * something that comes too late. Those that pass now are listed, and do not fail the run. More than a few are no coincidence.
 */
async function retryFailed(entries: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { listFailed } = await import('./support/passed-files.ts');
  const failed = listFailed(root, entries, passedFile);
  if (failed.length > mostRetried) return 1;
  process.stderr.write(`✖ These failed and run once more, alone: ${failed.join(', ')}\n`);
  const code = await runTests(failed, environment, 1);
  if (code === 0) process.stderr.write(`✖ Find out why these failed with others: ${failed.join(', ')}\n`);
  return code;
}

async function printProfile(): Promise<void> {
  const { describeProfile } = await import('./support/profile/describe-profile.ts');
  const { readCpuUse } = await import('./support/profile/cpu-use.ts');
  process.stderr.write(`${describeProfile(readFileSync(profileFile, 'utf8'), readCpuUse())}\n`);
}

function runTests(
  entries: readonly string[],
  environment: NodeJS.ProcessEnv,
  atOnce = concurrency,
): Promise<number> {
  const recording = profiles
    ? [`--import=${join(root, 'server/test/support/profile/record-process.ts')}`]
    : [];
  const runnerArgs = [`--test-concurrency=${atOnce}`, ...recording, ...defaults, ...options, ...entries];
  const runner = spawn(process.execPath, ['--test', ...runnerArgs], {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  });
  kill.signal.addEventListener('abort', () => runner.kill(kill.signal.reason as NodeJS.Signals));
  return new Promise((resolve) => runner.on('exit', (code) => resolve(code ?? 1)));
}
