import type { RedisAddress } from './redis-address.ts';
import type { RedisClientOptions, RedisWindowClient } from './redis-window-client.ts';

/** Loads what the address needs, and returns a function that creates clients. */
export async function loadRedisClients(
  address: RedisAddress,
): Promise<(options: RedisClientOptions) => RedisWindowClient> {
  switch (address.kind) {
    case 'server': {
      const { createServerClient } = await import('./redis-server-client.ts');
      return (options) => createServerClient(address, options);
    }
    case 'sentinel': {
      const { sentinelClients } = await import('./redis-sentinel-client.ts');
      return sentinelClients(address);
    }
    case 'cluster': {
      const { createClusterClient } = await import('./redis-cluster-client.ts');
      return (options) => createClusterClient(address, options);
    }
  }
}
