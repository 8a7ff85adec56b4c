import { longestTimerMs } from './client-options.ts';
import { connectionCode } from './connection-advice.ts';
import { type ReceivedResponse, receive } from './response.ts';

export type RequestBody = NonNullable<RequestInit['body']>;

/** The outcome of one request: a complete response, or the failure of its connection. */
export type Outcome =
  | { readonly response: ReceivedResponse }
  | {
      readonly failure: unknown;
      readonly isTimeout: boolean;
      /** false if the connection was never made. */
      readonly mayHaveArrived: boolean;
    };

interface AttemptOptions {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  /** Ends the attempt with the signal's reason. */
  readonly signal: AbortSignal;
}

/** Errors of connections that were never made. */
const neverConnected: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ConnectionRefused',
];

/**
 * Sends a request once and reads the response to its end.
 * @throws the reason of the signal, once it is aborted
 */
export async function attempt(url: string, init: RequestInit, options: AttemptOptions): Promise<Outcome> {
  const { fetch, timeoutMs, signal } = options;
  // AbortSignal.any() keeps every derived signal alive as long as its source on Node 20.
  const controller = new AbortController();
  const forward = () => controller.abort(signal.reason);
  signal.addEventListener('abort', forward, { once: true });
  let isTimeout = false;
  const timer = setTimeout(
    () => {
      isTimeout = true;
      controller.abort();
    },
    Math.min(timeoutMs, longestTimerMs),
  );
  try {
    signal.throwIfAborted();
    return { response: await receive(await fetch(url, { ...init, signal: controller.signal })) };
  } catch (failure) {
    signal.throwIfAborted();
    return {
      failure,
      isTimeout,
      mayHaveArrived: isTimeout || !neverConnected.includes(connectionCode(failure)),
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', forward);
  }
}

/** A response next to its data. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | null;
  /** The number of requests that were sent. */
  readonly attempts: number;
  /** The key that was sent; null for reads and other calls without one. */
  readonly idempotencyKey: string | null;
}

export interface Answer<T> {
  readonly data: T;
  readonly response: ResponseInfo;
}

/** A call that has begun. Await it for its data. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  /** Returns the data together with status, headers and request id. */
  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited like a promise.
  then<Result = T, Failure = never>(
    onFulfilled?: ((data: T) => Result | PromiseLike<Result>) | null,
    onRejected?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<Failure = never>(
    onRejected?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<T | Failure> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }
}

export type QueryValue = string | number | boolean | readonly string[] | undefined | null;

/** An operation, from its line in the generated table. */
export interface Route {
  readonly method: string;
  /** With placeholders, such as `/v1/client/catalog/products/{tuId}`. */
  readonly path: string;
  readonly takesKey: boolean;
  /** The response is not JSON. */
  readonly isText: boolean;
}

/** Parses a line of the generated table: `POST /path key` or `GET /path text`. */
export function routeFrom(line: string): Route {
  const [method = '', path = '', ...marks] = line.split(' ');
  return { method, path, takesKey: marks.includes('key'), isText: marks.includes('text') };
}

/**
 * Fills the placeholders of a path in their order and appends the query. Values that are undefined or null are omitted.
 * @throws TypeError for a path parameter that no client can send
 */
export function urlOf(
  baseUrl: string,
  path: string,
  parameters: readonly (string | number)[],
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  let next = 0;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => segment(name, parameters[next++]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.append(name, String(value));
  const text = search.toString();
  return `${baseUrl}${filled}${text === '' ? '' : `?${text}`}`;
}

/** URL parsers remove the segments `.` and `..`: the request would reach another resource. */
function segment(name: string, value: string | number | undefined): string {
  const text = String(value ?? '');
  if (text === '' || text === '.' || text === '..')
    throw new TypeError(`"${text}" cannot be sent as the path parameter ${name}.`);
  if (!text.isWellFormed()) throw new TypeError(`The path parameter ${name} is not well-formed Unicode.`);
  return encodeURIComponent(text);
}
