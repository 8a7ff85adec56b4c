import { registerCanary } from './canaries.ts';
import { askRedis } from './redis-ask.ts';
import { startRedis, type TestRedis } from './redis-server.ts';
import { waitFor } from './wait-for.ts';

/** A master with replicas, monitored by Sentinels. All require passwords. */
export interface TestSentinels {
  /** `redis+sentinel://` with all Sentinels. */
  readonly url: string;
  readonly sentinels: readonly TestRedis[];
  /** Asks the Sentinels that run which server is the master now. */
  findMaster(): Promise<TestRedis>;
  /** Prevents failovers, as if not enough Sentinels agreed. */
  holdFailover(): Promise<void>;
  allowFailover(): Promise<void>;
  stop(): Promise<void>;
}

const name = 'limits';
const password = 'redis-node-password-canary-51';
const sentinelPassword = 'redis-sentinel-password-canary-52';
/** A shorter time takes a busy machine for a dead master. */
const downAfterMs = 2_000;
/** Replicas receive the first copy at once, and not after five seconds. */
const serverArgs = [
  ...['--repl-diskless-sync-delay', '0', '--requirepass', password, '--masterauth', password],
];

/**
 * Starts a master, two replicas and three Sentinels, and waits until they know each other.
 * @returns null without the program `redis-server`
 */
export async function startSentinels(): Promise<TestSentinels | null> {
  registerCanary(password);
  registerCanary(sentinelPassword);
  const first = await startRedis({ args: serverArgs });
  if (first === null) return null;
  const replicaArgs = [...serverArgs, '--replicaof', `127.0.0.1 ${first.port}`];
  const servers = [first, ...(await startSome(2, { args: replicaArgs }))];
  const sentinels = await startSome(3, {
    sentinel: [
      `sentinel monitor ${name} 127.0.0.1 ${first.port} 2`,
      `sentinel auth-pass ${name} ${password}`,
      `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
      `sentinel failover-timeout ${name} 6000`,
      `requirepass ${sentinelPassword}`,
      `sentinel sentinel-pass ${sentinelPassword}`,
    ],
  });
  const tell = (command: string[]) =>
    Promise.allSettled(
      sentinels.map(({ port }) => askRedis({ port, password: sentinelPassword }, command)),
    ).then((answers) => answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])));
  const states = async () => (await tell(['SENTINEL', 'MASTER', name])).map(fieldsOf);
  const setQuorum = async (quorum: number) => {
    await tell(['SENTINEL', 'SET', name, 'quorum', String(quorum)]);
  };
  await waitFor('the Sentinels to know each other and the replicas', async () => {
    const known = await states();
    const isComplete = (state: ReadonlyMap<string, string>) =>
      state.get('flags') === 'master' &&
      state.get('num-other-sentinels') === '2' &&
      state.get('num-slaves') === '2';
    return known.length === 3 && known.every(isComplete);
  });
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `redis+sentinel://:${password}@${hosts}/${name}?sentinel_password=${sentinelPassword}`,
    sentinels,
    findMaster: async () => {
      const port = Number((await states())[0]?.get('port'));
      const master = servers.find((server) => server.port === port);
      if (master === undefined) throw new Error(`no server has the port ${port}`);
      return master;
    },
    holdFailover: () => setQuorum(5),
    allowFailover: () => setQuorum(2),
    stop: async () => {
      await Promise.all([...sentinels, ...servers].map((server) => server.stop()));
    },
  };
}

async function startSome(
  count: number,
  options: Parameters<typeof startRedis>[0],
): Promise<readonly TestRedis[]> {
  const started = await Promise.all(Array.from({ length: count }, () => startRedis(options)));
  return started.filter((server) => server !== null);
}

/** Turns a list of names and values into a map. */
function fieldsOf(answer: unknown): ReadonlyMap<string, string> {
  const list = answer as readonly string[];
  return new Map(list.flatMap((field, at) => (at % 2 === 0 ? [[field, list[at + 1] ?? ''] as const] : [])));
}
