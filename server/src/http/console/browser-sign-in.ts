import type { FastifyInstance } from 'fastify';
import type { RateLimits } from '../../access/rate-limits/rate-limits.ts';
import type { ServiceContext } from '../../api/operation.ts';
import type { Metrics } from '../metrics.ts';

export interface BrowserSignInDeps {
  readonly context: Pick<ServiceContext, 'database' | 'clock'>;
  readonly rateLimits: RateLimits;
  readonly metrics: Metrics;
  /** True if browsers may sign in over plain http from other machines. */
  readonly consoleAllowsHttp: boolean;
}

/** A way to sign in to the console without a token, which an extension adds [D285]. */
export interface BrowserSignIn {
  /** The identity provider, for `getSignInMethods`. */
  readonly issuer: string;
  /** Adds the addresses below `/console/` that a browser visits during a sign-in. */
  addTo(app: FastifyInstance, deps: BrowserSignInDeps): void;
}
