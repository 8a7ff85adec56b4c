import { createClient } from 'redis';
import type { Bucket, Verdict } from './window-counter.ts';
import { windowScripts } from './window-scripts.ts';

/** A client that is not connected yet. It never reconnects to a server that it lost; its owner creates a new one. */
export interface RedisWindowClient {
  connect(): Promise<unknown>;
  /** Counts a request without a limit, to check that the server runs the script and accepts writes. */
  probe(windowMs: number): Promise<unknown>;
  take(buckets: readonly Bucket[], windowMs: number): Promise<Verdict>;
  destroy(): void;
}

export interface RedisClientOptions {
  /** The time limit of the TCP (and TLS) connection, in milliseconds. */
  readonly connectLimitMs: number;
  /** Receives the loss of the server, even if no request is under way. Further calls mean nothing new. */
  readonly onLoss: (error: unknown) => void;
}

/** Nothing reads its key. */
const probeBuckets: readonly Bucket[] = [{ key: 'brandport:limit:{probe}', limit: Number.MAX_SAFE_INTEGER }];

export function createRedisClient(
  url: string,
  { connectLimitMs, onLoss }: RedisClientOptions,
): RedisWindowClient {
  const client = createClient({
    // Every Redis, Valkey and proxy supports RESP 2.
    RESP: 2,
    disableOfflineQueue: true,
    url,
    socket: { connectTimeout: connectLimitMs, reconnectStrategy: false },
    scripts: windowScripts,
  });
  client.on('error', onLoss);
  return {
    connect: () => client.connect(),
    probe: (windowMs) => client.take(probeBuckets, windowMs),
    take: (buckets, windowMs) => client.take(buckets, windowMs),
    destroy: () => client.destroy(),
  };
}
