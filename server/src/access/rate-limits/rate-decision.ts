import type { KeyBucketName } from '../../api/scopes.ts';
import type { Bucket, Verdict } from './window-counter.ts';

/** The buckets [platform-46], as errors, logs and metrics name them. */
export type BucketName = KeyBucketName | 'address' | 'sign_in' | 'admin_failures';

export interface NamedBucket extends Bucket {
  readonly name: BucketName;
}

/** The rate limit values that one response reports: those of the most constrained bucket. */
export interface RateDecision {
  /** The bucket that refused the request; `null` = admitted. */
  readonly deniedBy: BucketName | null;
  /** Requests that one window admits (`X-RateLimit-Limit`). */
  readonly limit: number;
  /** Requests left in the window after this one (`X-RateLimit-Remaining`). */
  readonly remaining: number;
  /** End of the window, Unix epoch seconds, rounded up (`X-RateLimit-Reset`). */
  readonly resetAt: number;
  /** Seconds after which the bucket has room again (`Retry-After`): at least 1 when denied, 0 when admitted. */
  readonly retryAfterSeconds: number;
}

/**
 * Converts a counter's verdict to the values that the client receives. The bucket with the fewest requests left is shown, on a
 * tie the one that resets later [platform-51]; a denial names an exhausted one by the same rule.
 */
export function decideRate(buckets: readonly NamedBucket[], verdict: Verdict): RateDecision {
  const [tightest] = buckets
    .map((bucket, index) => {
      const window = verdict.windows[index];
      if (window === undefined) throw new RangeError('a rate limit bucket has no window');
      return { bucket, remaining: Math.max(0, bucket.limit - window.used), endsAt: window.endsAt };
    })
    .sort((a, b) => a.remaining - b.remaining || b.endsAt - a.endsAt);
  if (tightest === undefined) throw new RangeError('a rate limit decision needs a bucket');

  return {
    deniedBy: verdict.admitted ? null : tightest.bucket.name,
    limit: tightest.bucket.limit,
    remaining: tightest.remaining,
    resetAt: Math.ceil(tightest.endsAt / 1000),
    retryAfterSeconds: verdict.admitted ? 0 : Math.max(1, Math.ceil((tightest.endsAt - verdict.now) / 1000)),
  };
}
