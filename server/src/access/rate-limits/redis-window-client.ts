import type { Bucket, Verdict, WindowState } from './window-counter.ts';

/**
 * One attempt to use Redis: a client that is not connected yet. It never reconnects to a server that it lost; its owner
 * creates a new one. Each method rejects if Redis does.
 */
export interface RedisWindowClient {
  /** Resolves once every server that counts is connected. */
  connect(): Promise<void>;
  /** Counts a request without a limit on every server that counts, to check that it runs the script and accepts writes. */
  probe(windowMs: number): Promise<void>;
  take(buckets: readonly Bucket[], windowMs: number): Promise<Verdict>;
  peek(keys: readonly string[], windowMs: number): Promise<readonly (WindowState | null)[]>;
  /** Closes all connections, also those under way. May be called in any state and more than once. */
  destroy(): void;
}

export interface RedisClientOptions {
  /** The time limit of each TCP (and TLS) connection, in milliseconds. */
  readonly connectLimitMs: number;
  /** Receives the loss of a server that counts, even if no request is under way. Further calls mean nothing new. */
  readonly onLoss: (error: unknown) => void;
}

/** Settings of all connections to servers that count. Every Redis, Valkey and proxy supports RESP 2. */
export const connectionDefaults = { RESP: 2, disableOfflineQueue: true } as const;

/** Keys that every request may count against; nothing reads them. */
export function probeBucket(tag = 'probe'): readonly Bucket[] {
  return [{ key: `brandport:limit:{${tag}}`, limit: Number.MAX_SAFE_INTEGER }];
}

/**
 * Describes a failure of Redis without secrets: its code, the first word of an error reply, or the error's name. The
 * message is omitted, because Redis quotes commands, and AUTH contains a password.
 */
export function describeRedisFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if ('code' in error && typeof error.code === 'string') return error.code;
  const replyWord = /^[A-Z]{3,}(?= )/.exec(error.message)?.[0];
  return replyWord ?? error.constructor.name;
}
