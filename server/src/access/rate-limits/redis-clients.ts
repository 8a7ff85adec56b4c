import { createClient, createCluster, createSentinel } from 'redis';
import type { RedisAddress } from './redis-address.ts';
import type { Bucket, Verdict } from './window-counter.ts';
import { windowScripts } from './window-scripts.ts';

/** A client that is not connected yet. It never reconnects to a server that it lost; its owner creates a new one. */
export interface RedisWindowClient {
  connect(): Promise<unknown>;
  /** Counts a request without a limit on every server that counts, to check that it runs the script and accepts writes. */
  probe(windowMs: number): Promise<unknown>;
  take(buckets: readonly Bucket[], windowMs: number): Promise<Verdict>;
  destroy(): void;
}

export interface RedisClientOptions {
  /** The time limit of each TCP (and TLS) connection, in milliseconds. */
  readonly connectLimitMs: number;
  /** Receives the loss of a server that counts, even if no request is under way. Further calls mean nothing new. */
  readonly onLoss: (error: unknown) => void;
}

type SentinelAddress = Extract<RedisAddress, { kind: 'sentinel' }>;
type ClusterAddress = Extract<RedisAddress, { kind: 'cluster' }>;

export function redisClients(address: RedisAddress): (options: RedisClientOptions) => RedisWindowClient {
  switch (address.kind) {
    case 'server':
      return (options) => serverClient(address.url, options);
    case 'sentinel':
      return sentinelClients(address);
    case 'cluster':
      return (options) => clusterClient(address, options);
  }
}

/** Settings of all connections to servers that count. Every Redis, Valkey and proxy supports RESP 2. */
const connectionDefaults = { RESP: 2, disableOfflineQueue: true } as const;

/** Keys that every request may count against; nothing reads them. */
function probeBucket(tag: string): readonly Bucket[] {
  return [{ key: `brandport:limit:{${tag}}`, limit: Number.MAX_SAFE_INTEGER }];
}

/** @param tags of keys that lead to each server that counts */
function windowClient(
  client: Pick<RedisWindowClient, 'connect' | 'take'>,
  destroy: () => void,
  tags = () => ['probe'],
): RedisWindowClient {
  return {
    connect: () => client.connect(),
    probe: (windowMs) => Promise.all(tags().map((tag) => client.take(probeBucket(tag), windowMs))),
    take: (buckets, windowMs) => client.take(buckets, windowMs),
    destroy,
  };
}

function serverClient(url: string, { connectLimitMs, onLoss }: RedisClientOptions): RedisWindowClient {
  const client = createClient({
    ...connectionDefaults,
    url,
    socket: { connectTimeout: connectLimitMs, reconnectStrategy: false },
    scripts: windowScripts,
  });
  client.on('error', onLoss);
  return windowClient(client, () => client.destroy());
}

/** The time between two requests for the master, in case the notice of a failover gets lost. */
const scanEveryMs = 5_000;

/** Errors of the connection to the master: their message begins like this (redis 6.3). */
const ofMaster = /^Master Client /;

/**
 * Returns a function that creates clients which count on the master that Sentinels name. The library asks Sentinels one after the
 * other: each attempt begins at another one, so that one that hangs holds up one attempt and not all. Its own retries are off:
 * they would keep requests waiting for a failover.
 */
function sentinelClients(address: SentinelAddress): (options: RedisClientOptions) => RedisWindowClient {
  let first: ReturnType<typeof openSentinel> | undefined;
  let attempts = 0;
  return ({ connectLimitMs, onLoss }) => {
    const { nodes } = address;
    const start = attempts++ % nodes.length;
    const sentinelRootNodes = [...nodes.slice(start), ...nodes.slice(0, start)];
    // Creating one takes 20 ms of CPU time, for a class with all commands; a duplicate shares the class.
    const client = first?.duplicate({ sentinelRootNodes }) ?? openSentinel(address, connectLimitMs);
    first ??= client;
    client.on('error', (error: unknown) => {
      if (error instanceof Error && ofMaster.test(error.message)) onLoss(error.cause ?? error);
    });
    return windowClient(client, () => void client.destroy().catch(() => {}));
  };
}

function openSentinel(
  { name, nodes, tls, credentials, database, sentinels }: SentinelAddress,
  connectLimitMs: number,
) {
  const socket = {
    connectTimeout: connectLimitMs / 2,
    reconnectStrategy: false,
    ...(tls && { tls }),
  } as const;
  return createSentinel({
    name,
    sentinelRootNodes: [...nodes],
    RESP: 2,
    nodeClientOptions: { ...connectionDefaults, ...credentials, database, socket },
    sentinelClientOptions: { ...connectionDefaults, ...sentinels, socket },
    scanInterval: scanEveryMs,
    maxCommandRediscovers: 0,
    // Otherwise of two commands of one turn one waits until the connection is idle, under load for ever (redis 6.3).
    reserveClient: true,
    passthroughClientErrorEvents: true,
    scripts: windowScripts,
  });
}

/** Tags that are tried to find one whose slot a master has. A master with a tenth of the slots has one of the first 50. */
const maxTags = 2_000;

/** Counts on the masters of a cluster, each brand on one. While one is lost, the process counts all requests. */
function clusterClient(
  { nodes, tls, credentials }: ClusterAddress,
  { connectLimitMs, onLoss }: RedisClientOptions,
): RedisWindowClient {
  const client = createCluster({
    RESP: 2,
    rootNodes: nodes.map(({ host, port }) => ({ socket: { host, port } })),
    defaults: {
      ...connectionDefaults,
      ...credentials,
      socket: { connectTimeout: connectLimitMs / 2, reconnectStrategy: false, ...(tls && { tls }) },
    },
    scripts: windowScripts,
  });
  // Of the search for the masters. If it fails, so does the connect or the command that caused it.
  client.on('error', () => {});
  client.on('node-error', onLoss);

  function tagsOfMasters(): string[] {
    const missing = new Set(client.masters);
    const tags: string[] = [];
    for (let number = 0; missing.size > 0 && number < maxTags; number += 1) {
      const tag = `probe-${number}`;
      const shard = client.slots[slotOf(tag)];
      if (shard !== undefined && missing.delete(shard.master)) tags.push(tag);
    }
    return tags;
  }

  function destroy(): void {
    try {
      client.destroy();
    } catch {
      // The library throws at the first connection that is closed already, and leaves the others open.
      for (const { client: connection } of client.masters) if (connection?.isOpen) connection.destroy();
    }
  }

  return windowClient(client, destroy, tagsOfMasters);
}

/** Returns the hash slot of a key or tag in a cluster: CRC-16/XMODEM modulo 16,384. */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return (crc & 0xffff) % 16_384;
}
