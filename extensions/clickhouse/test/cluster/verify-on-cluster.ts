import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type CheckResult, checkCluster, neverProved, quorumSettings } from './cluster-checks.ts';

/**
 * `npm run verify-on-cluster -- https://user:password@host:8443 [--cluster=<name>] [--no-contract]`: checks a ClickHouse
 * server or cluster, and runs the contract tests of the analytics store on it, in new databases that are dropped
 * afterwards. Prints what is proved and what is not. Exits with 1 if a check or test failed, with 2 if it was called wrongly.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cluster: { type: 'string' }, contract: { type: 'boolean', default: true } },
  allowNegative: true,
});
const [address] = positionals;
if (address === undefined || !URL.canParse(address)) {
  process.stderr.write(
    'usage: npm run verify-on-cluster -- https://user:password@host:8443 [--cluster=<name>]\n',
  );
  process.exit(2);
}

const url = new URL(address);
const print = ({ outcome, statement }: CheckResult) =>
  process.stdout.write(`${outcome.padEnd(10)}  ${statement}\n`);
const results: CheckResult[] = [];
for (const result of await checkCluster({ url, cluster: values.cluster ?? null })) {
  results.push(result);
  print(result);
}
results.push(
  values.contract
    ? await runContract()
    : { outcome: 'not proved', statement: 'the contract of the analytics store: --no-contract' },
);
print(results.at(-1) as CheckResult);
neverProved.forEach(print);
process.exit(results.some(({ outcome }) => outcome === 'failed') ? 1 : 0);

/** Runs the files of the ClickHouse store. Settings of the address apply to each of their queries. */
async function runContract(): Promise<CheckResult> {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const files = globSync('extensions/clickhouse/src/store/tests/*.test.ts', {
    cwd: root,
    // These kill the engine, which they start themselves.
    exclude: ['**/killed.test.ts'],
  });
  const statement = `the contract of the analytics store, ${files.length} test files`;
  if (files.length === 0) return { outcome: 'failed', statement };
  const withQuorum = new URL(url);
  if (values.cluster !== undefined)
    for (const [name, value] of Object.entries(quorumSettings))
      withQuorum.searchParams.set(`ch_${name}`, String(value));
  const child = spawn(process.execPath, ['server/test/run.ts', ...files], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      BRANDPORT_REQUIRE_PROGRAMS: '1',
      BRANDPORT_TEST_CLICKHOUSE_URL: withQuorum.href,
      ...(values.cluster !== undefined && { BRANDPORT_TEST_CLICKHOUSE_CLUSTER: values.cluster }),
    },
  });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  return { outcome: code === 0 ? 'proved' : 'failed', statement };
}
