import { createSentinel } from 'redis';
import type { RedisAddress } from './redis-address.ts';
import {
  connectionDefaults,
  probeBucket,
  type RedisClientOptions,
  type RedisWindowClient,
} from './redis-window-client.ts';
import { windowScripts } from './window-scripts.ts';

/** The time between two requests for the master, in case the notice of a failover gets lost. */
const scanEveryMs = 5_000;
/** Errors of the connection to the master: their message begins like this (redis 6.3). */
const ofMaster = /^Master Client /;

/**
 * Returns a function that creates clients which count on the master that Sentinels name. A Sentinel that is lost changes
 * nothing while the master is connected.
 *
 * The library asks Sentinels one after the other. Each attempt begins at another one, so that one that hangs holds up one
 * attempt and not all. Its own retries are off: they would keep requests waiting for a failover.
 */
export function sentinelClients(
  address: Extract<RedisAddress, { kind: 'sentinel' }>,
): (options: RedisClientOptions) => RedisWindowClient {
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
    return {
      connect: async () => {
        await client.connect();
      },
      probe: async (windowMs) => {
        await client.take(probeBucket(), windowMs);
      },
      take: (buckets, windowMs) => client.take(buckets, windowMs),
      peek: (keys, windowMs) => client.peek(keys, windowMs),
      destroy: () => void client.destroy().catch(() => {}),
    };
  };
}

function openSentinel(
  { name, nodes, tls, credentials, database, sentinels }: Extract<RedisAddress, { kind: 'sentinel' }>,
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
