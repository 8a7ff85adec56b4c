import type { BrandportError } from '../errors.ts';
import { version } from '../version.ts';

export interface ClientOptions {
  /** The address of the service, such as `https://brandport.example.com`; a path in it is kept as a prefix. */
  readonly baseUrl: string;
  /** Retries of a call after its first attempt; default 5. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds of retries beyond `maxRetries`, once the service has answered: for work of hours. Default 0. */
  readonly retryForMs?: number | undefined;
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

/** The options of one call; they take precedence over the client's. */
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
  readonly retryForMs: number;
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
    retryForMs: checkedNumber('retryForMs', options.retryForMs ?? 0, 0),
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
  if (secret === undefined || secret === '') throw new TypeError(`${name} is missing.`);
  if (typeof secret !== 'string' || !/^[\x21-\x7e]{1,1000}$/.test(secret))
    throw new TypeError(`${name} is not a string of visible ASCII characters.`);
  return `Bearer ${secret}`;
}

/** The longest timer: longer ones fire at once. */
export const longestTimerMs: number = 2 ** 31 - 1;

function checkedNumber(name: string, value: number, minimum: number): number {
  if (!Number.isFinite(value) || value < minimum) throw new TypeError(`${name} must be at least ${minimum}.`);
  return Math.min(value, longestTimerMs);
}

/** The paths of the operations, which the client adds. */
const operationsPath = /\/(?:internal\/)?v1(?:\/.*)?$/;

function checkedBaseUrl(text: string): string {
  if (text === undefined || text === '') throw new TypeError('baseUrl is missing.');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl is not an http or https address.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl must not contain credentials, a query or a fragment.');
  const [path] = operationsPath.exec(url.pathname.replace(/\/+$/, '')) ?? [];
  if (path !== undefined) throw new TypeError(`baseUrl must be the address of the service, without ${path}.`);
  return url.href.replace(/\/+$/, '');
}

/** A request that is about to be sent. */
export interface RequestEvent {
  /** The id of the operation in the OpenAPI document. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly idempotencyKey: string | null;
  /** Milliseconds that the request waited for the limits of the service. */
  readonly pacedMs: number;
}

/** The end of a request. */
export interface ResponseEvent extends RequestEvent {
  /** null if no complete response arrived. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly durationMs: number;
}

/** A pause before the next request of a kind. */
export interface PaceEvent {
  /** The domain and `read` or `write`, such as `catalog write`. */
  readonly queue: string;
  /** Milliseconds until the limits of the service allow the next request. */
  readonly waitMs: number;
}

export interface RetryEvent extends RequestEvent {
  readonly error: BrandportError;
  readonly waitMs: number;
}

export interface PageEvent {
  readonly operation: string;
  /** Counts from 1. */
  readonly page: number;
  readonly rows: number;
}

export type WarningEvent =
  /** The service ignored these names of the request: probably misspelt. */
  | { readonly kind: 'ignored_names'; readonly operation: string; readonly names: readonly string[] }
  /** The batch id was used before with other lines: the earlier feed counts, these lines are not applied. */
  | { readonly kind: 'feed_body_differs'; readonly feedId: string; readonly batchId: string };

/** Functions that observe a client. They are called synchronously; an exception in one does not affect the call. */
export interface Hooks {
  readonly onRequest?: (event: RequestEvent) => void;
  readonly onResponse?: (event: ResponseEvent) => void;
  readonly onRetry?: (event: RetryEvent) => void;
  /** Called when requests begin to wait for the limits of the service, and again when the wait changes. */
  readonly onPace?: (event: PaceEvent) => void;
  readonly onPage?: (event: PageEvent) => void;
  readonly onWarning?: (event: WarningEvent) => void;
}

/** Calls a hook. A write that succeeded must not be reported as failed because an observer threw. */
export function notify<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event);
  } catch {}
}

/** Ends a call: the caller's signal or its deadline, whichever comes first. */
export class Lifetime {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #deadlineMs: number | undefined;
  readonly #startedAt: number = performance.now();
  #isExpired = false;

  constructor(caller: AbortSignal | undefined, deadlineMs: number | undefined) {
    this.signal = this.#controller.signal;
    this.#caller = caller;
    this.#deadlineMs = deadlineMs;
    if (caller?.aborted === true) this.#forward();
    else caller?.addEventListener('abort', this.#forward, { once: true });
    if (deadlineMs !== undefined)
      this.#timer = setTimeout(() => this.#expire(), Math.min(deadlineMs, longestTimerMs));
  }

  /** The deadline has passed, or the remaining time is shorter than the next wait. */
  get isExpired(): boolean {
    return this.#isExpired;
  }

  /**
   * Waits, or ends the lifetime at once if the deadline comes first.
   * @throws the reason of the signal
   */
  async wait(ms: number): Promise<void> {
    if (this.#deadlineMs !== undefined && performance.now() + ms >= this.#startedAt + this.#deadlineMs)
      this.#expire();
    await sleep(ms, this.signal);
  }

  /** Releases the timer and the caller's signal. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#forward);
  }

  readonly #forward = (): void => this.#controller.abort(this.#caller?.reason);

  #expire(): void {
    this.#isExpired = true;
    this.#controller.abort();
  }
}

/** Waits. @throws the reason of the signal, once it is aborted */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Returns an idempotency key for content: the same for equal values, regardless of the order of their properties. A process
 * that died can derive the keys of its writes again. The service keeps a key for 24 hours: after that, the same key
 * writes again.
 * @param parts JSON values, such as the name of an import and the body of the call
 */
export async function keyFrom(...parts: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts, sorted));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
