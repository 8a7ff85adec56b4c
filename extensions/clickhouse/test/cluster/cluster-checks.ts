import {
  type ClickHouseClient,
  type ClickHouseError,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client';
import { randomHex } from '../../../../server/src/lib/ids.ts';

/** The outcome of a check: `proved` by what the server did, `not proved` because it was not exercised, or `failed`. */
export interface CheckResult {
  readonly outcome: 'proved' | 'not proved' | 'failed';
  readonly statement: string;
}

export interface ClusterUnderTest {
  /** The address with credentials. */
  readonly url: URL;
  /** The name of the cluster in `system.clusters`; null: a single server. */
  readonly cluster: string | null;
}

const proved = (statement: string): CheckResult => ({ outcome: 'proved', statement });
const notProved = (statement: string): CheckResult => ({ outcome: 'not proved', statement });
const failed = (statement: string): CheckResult => ({ outcome: 'failed', statement });

/** An acknowledged insert is on a majority of replicas and on disk, and every replica that answers has it. */
export const quorumSettings = {
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  select_sequential_consistency: '1',
} as const;

/** Properties that this script never exercises. */
export const neverProved: readonly CheckResult[] = [
  'the loss of a node while it inserts, and of the power of one',
  'a network that separates replicas',
  'sharding: distributed tables are not used; shard by brand',
  'quotas, row policies and roles',
  'sizes and speed: run the part `clickhouse` of the benchmark',
].map(notProved);

/** Runs the checks that need no Brandport: connection, TLS, credentials and replication. */
export async function checkCluster({ url, cluster }: ClusterUnderTest): Promise<CheckResult[]> {
  const client = connect(url);
  try {
    const version = await readValue(client, 'select version()');
    const results = [proved(`the server answers: ClickHouse ${version}`)];
    results.push(
      url.protocol === 'https:'
        ? proved('TLS, with a certificate that Node trusts')
        : notProved('TLS: the address begins with http://'),
    );
    results.push(await checkCredentials(url));
    results.push(await attempt('an exceeded limit of time is code 159', () => checkTimeout(client)));
    results.push(...(await checkReplication(client, cluster)));
    return results;
  } finally {
    await client.close();
  }
}

function connect(url: URL): ClickHouseClient {
  return createClient({ url, request_timeout: 30_000, log: { level: ClickHouseLogLevel.OFF } });
}

async function readValue(client: ClickHouseClient, query: string): Promise<unknown> {
  const result = await client.query({ query, format: 'JSONCompactEachRow' });
  const [row] = await result.json<[unknown]>();
  return (row as unknown as [unknown] | undefined)?.[0];
}

async function attempt(statement: string, work: () => Promise<boolean>): Promise<CheckResult> {
  try {
    return (await work()) ? proved(statement) : failed(statement);
  } catch (error) {
    return failed(`${statement}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const codeOf = (error: unknown) => (error as ClickHouseError).code;

async function checkCredentials(url: URL): Promise<CheckResult> {
  const wrong = new URL(url);
  wrong.password = randomHex(16);
  const client = connect(wrong);
  try {
    await client.command({ query: 'select 1' });
    return failed('a wrong password is refused');
  } catch (error) {
    const isRefused = ['192', '193', '194', '516'].includes(codeOf(error));
    return isRefused
      ? proved('a wrong password is refused')
      : failed(`a wrong password is refused: ${error}`);
  } finally {
    await client.close();
  }
}

async function checkTimeout(client: ClickHouseClient): Promise<boolean> {
  try {
    await client.command({ query: 'select sleep(2)', clickhouse_settings: { max_execution_time: 1 } });
    return false;
  } catch (error) {
    return codeOf(error) === '159';
  }
}

async function checkReplication(client: ClickHouseClient, cluster: string | null): Promise<CheckResult[]> {
  const statements = [
    'an insert with a quorum is readable on every replica at once',
    'a deleted row is invisible on every replica when the statement returns',
    'tables take fsync_after_insert',
  ];
  if (cluster === null) return statements.map((one) => notProved(`${one}: no --cluster was given`));
  const replicas = await readValue(
    client,
    `select count() from system.clusters where cluster = ${quoted(cluster)}`,
  );
  if (Number(replicas) < 2)
    return statements.map((one) => notProved(`${one}: ${cluster} has ${replicas} replica`));
  const table = `brandport_check_${randomHex(8)}`;
  const everywhere = `clusterAllReplicas(${quoted(cluster)}, currentDatabase(), ${table})`;
  const seen = async (): Promise<string> =>
    String(
      await readValue(
        client,
        `select concat(toString(uniqExact(hostName())), ' ', toString(count())) from ${everywhere}
         settings select_sequential_consistency = 1`,
      ),
    );
  try {
    await client.command({
      query: `create table ${table} on cluster ${quoted(cluster)} (n UInt32)
        engine = ReplicatedMergeTree('/brandport/checks/${table}', '{replica}') order by n settings fsync_after_insert = 1`,
    });
    const insert = async () => {
      await client.command({
        query: `insert into ${table} select number from numbers(1000)`,
        clickhouse_settings: quorumSettings,
      });
      return (await seen()) === `${replicas} ${Number(replicas) * 1_000}`;
    };
    const remove = async () => {
      await client.command({
        query: `delete from ${table} where n < 500`,
        clickhouse_settings: { lightweight_deletes_sync: '2' },
      });
      return (await seen()) === `${replicas} ${Number(replicas) * 500}`;
    };
    return [
      await attempt(statements[0] as string, insert),
      await attempt(statements[1] as string, remove),
      proved(statements[2] as string),
    ];
  } catch (error) {
    return [failed(`replicated tables: ${error instanceof Error ? error.message : String(error)}`)];
  } finally {
    await client
      .command({ query: `drop table if exists ${table} on cluster ${quoted(cluster)} sync` })
      .catch(() => {});
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
