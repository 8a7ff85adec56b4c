import { createClient } from 'redis';
import type { RedisAddress } from './redis-address.ts';
import {
  connectionDefaults,
  probeBucket,
  type RedisClientOptions,
  type RedisWindowClient,
} from './redis-window-client.ts';
import { windowScripts } from './window-scripts.ts';

/** Counts on one server. */
export function createServerClient(
  { url }: Extract<RedisAddress, { kind: 'server' }>,
  { connectLimitMs, onLoss }: RedisClientOptions,
): RedisWindowClient {
  const client = createClient({
    ...connectionDefaults,
    url,
    socket: { connectTimeout: connectLimitMs, reconnectStrategy: false },
    scripts: windowScripts,
  });
  client.on('error', onLoss);
  return {
    connect: async () => {
      await client.connect();
    },
    probe: async (windowMs) => {
      await client.take(probeBucket(), windowMs);
    },
    take: (buckets, windowMs) => client.take(buckets, windowMs),
    peek: (keys, windowMs) => client.peek(keys, windowMs),
    destroy: () => client.destroy(),
  };
}
