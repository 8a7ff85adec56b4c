import { createCluster } from 'redis';
import type { RedisAddress } from './redis-address.ts';
import {
  connectionDefaults,
  probeBucket,
  type RedisClientOptions,
  type RedisWindowClient,
} from './redis-window-client.ts';
import { windowScripts } from './window-scripts.ts';

/** Tags that are tried to find one whose slot a master has. A master with a tenth of the slots has one of the first 50. */
const maxTags = 2_000;

/**
 * Counts on the masters of a cluster, each brand on one of them. All masters have to be connected: while one of them is
 * lost, all requests are counted in the process, until the cluster has a replacement.
 */
export function createClusterClient(
  { nodes, tls, credentials }: Extract<RedisAddress, { kind: 'cluster' }>,
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

  /** Returns a tag for each master, which leads to it. */
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

  return {
    connect: async () => {
      await client.connect();
    },
    probe: async (windowMs) => {
      await Promise.all(tagsOfMasters().map((tag) => client.take(probeBucket(tag), windowMs)));
    },
    take: (buckets, windowMs) => client.take(buckets, windowMs),
    peek: (keys, windowMs) => client.peek(keys, windowMs),
    destroy: () => {
      try {
        client.destroy();
      } catch {
        // The library throws at the first connection that is closed already, and leaves the others open.
        for (const { client: connection } of client.masters) if (connection?.isOpen) connection.destroy();
      }
    },
  };
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
