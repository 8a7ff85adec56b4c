import type { KeyBucketName, LimitsNow } from '../../api/access.ts';
import type { ServiceContext } from '../../api/operation.ts';
import { countedNetwork, isUrl } from '../../lib/addresses.ts';
import type { Log } from '../../lib/log.ts';
import { areInForce, type Limits, limitNamesOf, type OwnLimits } from '../own-limits.ts';
import {
  type BucketName,
  createMemoryWindowCounter,
  decideRate,
  type NamedBucket,
  productionTiming,
  type RateDecision,
  type RateLimitTiming,
  type WindowCounter,
} from './window-counter.ts';

/** Returns whether a string is the URL of one Redis. Its path is a database's number, with `unix:` that of the socket. */
export function isRedisUrl(text: string): boolean {
  if (!/^(rediss?|unix):\/\//.test(text) || !isUrl(text)) return false;
  const { protocol, host, pathname } = new URL(text);
  if (protocol === 'unix:') return host === '' && pathname.length > 1;
  return host !== '' && !host.includes(',') && /^\/?\d*$/.test(pathname);
}

export type { BucketName, RateDecision } from './window-counter.ts';

/** Not a setting: nobody types faster, and guessing a token has to stay hopeless. */
const signInsPerMinute = 10;

/** The configured requests per minute; 0 = not limited. Defaults: [platform-46], [platform-54]. */
export type ConfiguredLimits = Readonly<Record<Exclude<BucketName, 'sign_in'>, number>>;

export interface KeyRequest {
  readonly domain: 'catalog' | 'analytics';
  /** The key's public id. */
  readonly keyId: string;
  readonly brandId: number;
  /** GET and HEAD. */
  readonly isRead: boolean;
  /** Limits of the key or its brand that replace the configured ones. */
  readonly own?: Limits | undefined;
}

/**
 * Counts and limits requests [platform-50]. Exact under any concurrency: of all requests in a bucket's window, across all
 * processes on one Redis while it responds, exactly the limit is admitted. Never rejects, and never waits for a Redis that is
 * known to be unavailable. Addresses count whole, IPv6 by /64; `null` = not limited.
 */
export interface RateLimits {
  admitKey(request: KeyRequest): Promise<RateDecision | null>;
  /** Counts one request without a known key [platform-84]. */
  admitAddress(address: string): Promise<RateDecision | null>;
  admitSignIn(address: string): Promise<RateDecision | null>;
  countAdminFailure(address: string): Promise<RateDecision | null>;
  /** Returns the denial of an address that has used up its wrong tokens; `null` = it has not. Counts nothing. */
  findAdminDenial(address: string): Promise<RateDecision | null>;
  listUse(asked: LimitOwners): Promise<LimitUse>;
  /** Returns a key's effective limits: the configured ones, overridden by `own`. */
  limitsNow(own: Limits | null | undefined): LimitsNow;
  /** Returns whether requests are counted in Redis now, shared by all processes; `null` without Redis. */
  isShared(): boolean | null;
  close(): Promise<void>;
}

/** Whose buckets are asked for, with their own limits at a time in milliseconds since the Unix epoch. */
export interface LimitOwners {
  readonly brandId: number;
  readonly owners: readonly LimitOwner[];
  readonly now: number;
}

export interface LimitOwner {
  /** The key's public id; null: the brand. */
  readonly keyId: string | null;
  readonly own: OwnLimits | null;
}

export interface RateLimitContext extends ServiceContext {
  readonly rateLimits: Pick<RateLimits, 'listUse' | 'limitsNow'>;
}

export interface BucketUse {
  readonly name: BucketName;
  /** The key's public id; null for a bucket of the brand. */
  readonly keyId: string | null;
  /** Requests that a window admits; 0 = not limited, and not counted. */
  readonly limit: number;
  /** The own limits of the key or brand, if the limit is one of them; null: it is the configured one. */
  readonly own: OwnLimits | null;
  readonly used: number;
  /** End of the window, milliseconds since the Unix epoch; null: no window is open. */
  readonly endsAt: number | null;
}

export interface LimitUse {
  /** The counter that counts now: Redis, shared by all processes, or this process alone. */
  readonly countedBy: 'process' | 'redis';
  readonly buckets: readonly BucketUse[];
}

export interface RateLimitOptions {
  readonly configured: ConfiguredLimits;
  /** `null` = counters in this process. May contain a password; no part of it is logged. */
  readonly redisUrl: string | null;
  readonly log: Log;
}

/**
 * An unreachable Redis does not prevent the start: after two seconds requests are counted in this process, with an error in the
 * log, until Redis responds. A limit per process is better than an outage because of the limiter. `timing`: for tests only.
 * @throws TypeError if the Redis URL is invalid
 */
export async function createRateLimits(
  { configured, redisUrl, log }: RateLimitOptions,
  timing: RateLimitTiming = productionTiming,
): Promise<RateLimits> {
  const shared = redisUrl === null ? null : await createSharedCounter(redisUrl, timing, log);
  const counter: WindowCounter = shared ?? createMemoryWindowCounter(timing.windowMs);

  async function admit(candidates: readonly NamedBucket[]): Promise<RateDecision | null> {
    const buckets = candidates.filter(({ limit }) => limit > 0);
    return buckets.length === 0 ? null : decideRate(buckets, await counter.take(buckets));
  }

  return {
    admitKey: (request) => admit(bucketsOfKey(configured, request)),
    admitAddress: (address) => admit([bucketOfAddress('address', address, configured.address)]),
    admitSignIn: (address) => admit([bucketOfAddress('sign_in', address, signInsPerMinute)]),
    countAdminFailure: (address) =>
      admit([bucketOfAddress('admin_failures', address, configured.admin_failures)]),
    findAdminDenial: async (address) => {
      const bucket = bucketOfAddress('admin_failures', address, configured.admin_failures);
      if (bucket.limit === 0) return null;
      const verdict = await counter.take([{ key: bucket.key, limit: 0 }]);
      return (verdict.windows[0]?.used ?? 0) < bucket.limit ? null : decideRate([bucket], verdict);
    },
    listUse: async (asked) => {
      const buckets = bucketsOfOwners(configured, asked);
      const { windows } = await counter.take(buckets.map(({ key }) => ({ key, limit: 0 })));
      const uses = buckets.map(({ name, limit, keyId, own }, index) => {
        const { used = 0, endsAt = null } = limit === 0 ? {} : (windows[index] ?? {});
        return { name, keyId, limit, own, used, endsAt: used === 0 ? null : endsAt };
      });
      return { countedBy: shared?.isConnected ? 'redis' : 'process', buckets: uses };
    },
    limitsNow: (own) => (own ? { ...configured, ...own } : configured),
    isShared: () => shared?.isConnected ?? null,
    close: async () => shared?.close(),
  };
}

function bucketOfAddress(
  name: Exclude<BucketName, KeyBucketName>,
  address: string,
  limit: number,
): NamedBucket {
  return { name, key: `brandport:limit:${name.replace('_', '-')}:${countedNetwork(address)}`, limit };
}

/** The client of Redis is loaded only with a Redis: loading it takes 170 ms of CPU time. */
async function createSharedCounter(redisUrl: string, timing: RateLimitTiming, log: Log) {
  // No part of it, since it may contain a password.
  if (!isRedisUrl(redisUrl))
    throw new TypeError('Invalid Redis URL: expected redis://, rediss:// or unix:// and one server');
  const { FailoverWindowCounter } = await import('./redis-window-counter.ts');
  return FailoverWindowCounter.start(redisUrl, timing, log);
}

/** The domains count independently of each other [platform-48]. */
function bucketsOfKey(configured: LimitsNow, request: KeyRequest): NamedBucket[] {
  const { domain, keyId, brandId, isRead, own } = request;
  return limitNamesOf(domain, isRead).map((name) => bucketOf(configured, name, { brandId, keyId, own }));
}

function bucketsOfOwners(configured: LimitsNow, { brandId, owners, now }: LimitOwners) {
  return owners.flatMap(({ keyId, own }) => {
    const names: readonly KeyBucketName[] =
      keyId === null
        ? ['catalog_brand', 'analytics_brand']
        : ['catalog_key_reads', 'catalog_key_writes', 'analytics_key'];
    const inForce = areInForce(own, now) ? own : null;
    return names.map((name) => ({
      ...bucketOf(configured, name, { brandId, keyId, own: inForce?.limits }),
      keyId,
      own: inForce?.limits[name] === undefined ? null : inForce,
    }));
  });
}

const brandBuckets: ReadonlySet<KeyBucketName> = new Set(['catalog_brand', 'analytics_brand']);

/** `keyId` null: for a bucket of the brand, whose name has no key. */
function bucketOf(
  configured: LimitsNow,
  name: KeyBucketName,
  { brandId, keyId, own }: Pick<KeyRequest, 'brandId' | 'own'> & { readonly keyId: string | null },
): NamedBucket {
  // In a cluster behind a proxy, the part in braces leads all counters of a request to one server.
  const suffix = brandBuckets.has(name) ? '' : `:${keyId}`;
  return {
    name,
    key: `brandport:limit:{${brandId}}:${name}${suffix}`,
    limit: own?.[name] ?? configured[name],
  };
}
