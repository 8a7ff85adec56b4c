import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { registerCanary } from './canaries.ts';
import { findFreePort } from './free-port.ts';
import { askRedis } from './redis-ask.ts';
import { startRedis, type TestRedis } from './redis-server.ts';
import { waitFor } from './wait-for.ts';

const execute = promisify(execFile);

/** A cluster of three masters with a replica each. All require a password. */
export interface TestCluster {
  /** `redis+cluster://` with three of the servers. */
  readonly url: string;
  /** Returns the server that is the master of a key's slot now. */
  findMasterOf(key: string): Promise<TestRedis>;
  /** Returns the slot of a key, computed by Redis. */
  slotOf(key: string): Promise<number>;
  /** Prevents replicas from taking over. */
  holdFailover(): Promise<void>;
  allowFailover(): Promise<void>;
  /** Changes a setting of one server while it runs. */
  configure(server: TestRedis, name: string, value: string): Promise<void>;
  /** Moves the slot of a key to another master, which answers MOVED for it on the former one. */
  moveSlotOf(key: string): Promise<void>;
  stop(): Promise<void>;
}

const password = 'redis-cluster-password-canary-53';
/** A shorter time takes a busy machine for a dead master. */
const nodeTimeoutMs = 2_000;

type SlotRange = [from: number, to: number, master: [host: string, port: number, id: string]];

/**
 * Starts six servers and joins them with `redis-cli --cluster create`.
 * @returns null without the program `redis-server`
 */
export async function startCluster(): Promise<TestCluster | null> {
  registerCanary(password);
  const started = await Promise.all(Array.from({ length: 6 }, startMember));
  const servers = started.filter((server) => server !== null);
  if (servers.length < started.length) return null;
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
  await execute('redis-cli', [
    ...['--no-auth-warning', '-a', password, '--cluster', 'create', ...addresses],
    ...['--cluster-replicas', '1', '--cluster-yes'],
  ]);

  const ask = (port: number, ...command: string[]) => askRedis({ port, password }, command);
  const askAny = (...command: string[]) => Promise.any(servers.map(({ port }) => ask(port, ...command)));
  const tellAll = async (...command: string[]) => {
    await Promise.allSettled(servers.map(({ port }) => ask(port, ...command)));
  };
  const slotOf = async (key: string) => Number(await askAny('CLUSTER', 'KEYSLOT', key));
  const listRanges = async () => (await askAny('CLUSTER', 'SLOTS')) as SlotRange[];
  const masterOf = async (slot: number) =>
    (await listRanges()).find(([from, to]) => from <= slot && slot <= to)?.[2];

  await waitFor('the replicas to follow their masters', async () => {
    const nodes = await Promise.all(servers.map(({ port }) => ask(port, 'CLUSTER', 'NODES')));
    return nodes.every((text) => String(text).match(/slave .* connected$/gm)?.length === 3);
  });
  return {
    url: `redis+cluster://:${password}@${addresses.slice(0, 3).join(',')}`,
    slotOf,
    findMasterOf: async (key) => {
      const [, port] = (await masterOf(await slotOf(key))) ?? [];
      const master = servers.find((server) => server.port === port);
      if (master === undefined) throw new Error(`no server has the slot of ${key}`);
      return master;
    },
    holdFailover: () => tellAll('CONFIG', 'SET', 'cluster-replica-no-failover', 'yes'),
    allowFailover: () => tellAll('CONFIG', 'SET', 'cluster-replica-no-failover', 'no'),
    configure: async ({ port }, name, value) => {
      await ask(port, 'CONFIG', 'SET', name, value);
    },
    moveSlotOf: async (key) => {
      const slot = await slotOf(key);
      const from = await masterOf(slot);
      const to = (await listRanges()).map(([, , master]) => master).find(([, port]) => port !== from?.[1]);
      if (from === undefined || to === undefined) throw new Error('the cluster has one master only');
      await ask(to[1], 'CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', from[2]);
      await ask(from[1], 'CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', to[2]);
      const keys = (await ask(from[1], 'CLUSTER', 'GETKEYSINSLOT', String(slot), '100')) as string[];
      const target = ['127.0.0.1', String(to[1]), '', '0', '5000', 'AUTH', password, 'KEYS', ...keys];
      if (keys.length > 0) await ask(from[1], 'MIGRATE', ...target);
      for (const port of [to[1], from[1]]) await ask(port, 'CLUSTER', 'SETSLOT', String(slot), 'NODE', to[2]);
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

async function startMember(): Promise<TestRedis | null> {
  const bus = await findFreePort();
  return startRedis({
    args: [
      ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeoutMs)],
      ...['--cluster-port', String(bus), '--repl-diskless-sync-delay', '0'],
      ...['--requirepass', password, '--masterauth', password],
    ],
  });
}
