import { version } from '../version.ts';
import type { Hooks } from './hooks.ts';

export interface ClientOptions {
  /** The address of the service, such as `https://brandport.example.com`; a path in it is kept as a prefix. */
  readonly baseUrl: string;
  /** Retries of a call after its first attempt; default 5. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds for one attempt; default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for a whole call with its retries and waits; default: not limited. */
  readonly deadlineMs?: number | undefined;
  /** Spreads requests over the limits of the service instead of running into 429; default true. */
  readonly pace?: boolean | undefined;
  /** Concurrent requests of each kind (domain, read or write); further ones wait. Default 16. */
  readonly maxConcurrency?: number | undefined;
  /** Asks the service to refuse unknown names in bodies and queries instead of ignoring them; default false. */
  readonly strict?: boolean | undefined;
  readonly hooks?: Hooks | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Appended to the SDK's own `User-Agent`. */
  readonly userAgent?: string | undefined;
}

/** The options of one call; they take precedence over those of the client. */
export interface CallOptions {
  /** Ends the call with the signal's reason. A write that was sent may still happen. */
  readonly signal?: AbortSignal | undefined;
  readonly maxRetries?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly deadlineMs?: number | undefined;
  readonly strict?: boolean | undefined;
}

/** The options of a read. */
export interface ReadOptions extends CallOptions {
  /** An ETag: a resource that has not changed rejects the call with `not_modified`. */
  readonly ifNoneMatch?: string | undefined;
}

/** The options of a write. */
export interface WriteOptions extends CallOptions {
  /**
   * 1 to 191 visible ASCII characters; default: a random one per call. Retries send the same one. A later call with the
   * same key and body returns the recorded response.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The options of a change of a resource that has an ETag. */
export interface ChangeOptions extends CallOptions {
  /** An ETag: a resource that has changed since rejects the call with `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

/** The options of the erasure of a learner. */
export interface EraseOptions extends CallOptions {
  /** true: returns the receipt, which the server does not keep. */
  readonly receipt?: boolean | undefined;
}

/** The options with their defaults. The secret is not among them. */
export interface Settings {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
  readonly pace: boolean;
  readonly maxConcurrency: number;
  readonly strict: boolean;
  readonly hooks: Hooks;
  readonly fetch: typeof fetch;
  readonly userAgent: string;
}

/** Validates the options and adds the defaults. @throws TypeError */
export function settingsFrom(options: ClientOptions): Settings {
  const ownFetch = options.fetch;
  return {
    baseUrl: checkedBaseUrl(options.baseUrl),
    maxRetries: checkedNumber('maxRetries', options.maxRetries ?? 5, 0),
    timeoutMs: checkedNumber('timeoutMs', options.timeoutMs ?? 30_000, 1),
    deadlineMs:
      options.deadlineMs === undefined ? undefined : checkedNumber('deadlineMs', options.deadlineMs, 1),
    pace: options.pace ?? true,
    maxConcurrency: checkedNumber('maxConcurrency', options.maxConcurrency ?? 16, 1),
    strict: options.strict ?? false,
    hooks: options.hooks ?? {},
    fetch: ownFetch ?? ((url, init) => fetch(url, init)),
    userAgent: `brandport-client/${version}${options.userAgent === undefined ? '' : ` ${options.userAgent}`}`,
  };
}

/** Returns the header for a secret. The message of the error does not contain it. @throws TypeError */
export function authorizationFor(name: string, secret: string): string {
  if (typeof secret !== 'string' || !/^[\x21-\x7e]{1,1000}$/.test(secret))
    throw new TypeError(`${name} is not a string of visible ASCII characters.`);
  return `Bearer ${secret}`;
}

function checkedNumber(name: string, value: number, minimum: number): number {
  if (!Number.isFinite(value) || value < minimum) throw new TypeError(`${name} must be at least ${minimum}.`);
  // Longer timers fire at once.
  return Math.min(value, 2 ** 31 - 1);
}

/** The paths of the operations, which the client adds. */
const operationsPath = /\/(?:internal\/)?v1(?:\/.*)?$/;

function checkedBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl is not an http or https address.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl must not contain credentials, a query or a fragment.');
  const [path] = operationsPath.exec(url.pathname.replace(/\/+$/, '')) ?? [];
  if (path !== undefined) throw new TypeError(`baseUrl must be the address of the service, without ${path}.`);
  return url.href.replace(/\/+$/, '');
}
