import { setTimeout as sleep } from 'node:timers/promises';
import { DemoError } from '../demo-error.ts';
import { ndjsonOf } from './ndjson.ts';
import { backoffMs, type Outcome, pauseAfter, verdictOn } from './retry-policy.ts';

export interface ApiResponse<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it arrived. */
  readonly bytes: Buffer;
  /** undefined if the body is not JSON. */
  readonly json: T;
}

/** The requests of all clients that share it so far. */
export interface Traffic {
  requests: number;
  /** Requests with the response 429. */
  refused: number;
  /** Requests that were sent again after a failure. */
  repeated: number;
}

export interface ApiClientOptions {
  /** The base of all paths. */
  readonly baseUrl: string;
  readonly token: string;
  readonly traffic: Traffic;
  /** Aborts every wait and request; its reason is thrown. */
  readonly signal: AbortSignal;
  readonly onWait?: (ms: number) => void;
}

export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /**
   * Sent as NDJSON instead, one per line, while they are generated; generated again when the request is sent
   * again.
   */
  readonly lines?: Iterable<unknown>;
  readonly idempotencyKey?: string;
  /** The time limit for a response; 30 s by default. */
  readonly timeoutMs?: number;
}

const requestTimeoutMs = 30_000;
const maxRepetitions = 10;
const maxRefusals = 30;
const maxPauseMs = 10 * 60_000;

/**
 * An API client with one bearer token. It keeps the limits announced in responses: when the headers say that nothing is
 * left, it waits for the reset, separately for reads and writes, and after a 429 for `Retry-After`. It repeats failed
 * requests when that is safe: reads, PUT, DELETE, and requests with an Idempotency-Key, always the same one.
 */
export class ApiClient {
  readonly #options: ApiClientOptions;
  readonly #notBefore = { read: 0, write: 0 };

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  get<T>(path: string): Promise<ApiResponse<T>> {
    return this.request<T>('GET', path);
  }

  post<T>(path: string, body: unknown, idempotencyKey?: string): Promise<ApiResponse<T>> {
    return this.request<T>('POST', path, { body, ...(idempotencyKey !== undefined && { idempotencyKey }) });
  }

  /**
   * Returns the response, with any status.
   * @throws DemoError if the server does not respond, or keeps refusing.
   */
  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse<T>> {
    const { traffic } = this.#options;
    const kind = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
    const isRepeatable = !['POST', 'PATCH'].includes(method) || options.idempotencyKey !== undefined;
    for (let refusals = 0, failures = 0; ; ) {
      await this.#wait(this.#notBefore[kind] - performance.now());
      traffic.requests++;
      const outcome = await this.#send(method, path, options);
      if ('response' in outcome) this.#learn(kind, outcome.response);
      const verdict = verdictOn(outcome);
      const isLast = verdict === 'refused' ? ++refusals > maxRefusals : ++failures > maxRepetitions;
      if (verdict === 'refused') {
        traffic.refused++;
        if (isLast) throw new DemoError(`${method} ${path} was refused ${refusals} times (429).`);
      } else if (verdict === 'failed' && isRepeatable && !isLast) {
        traffic.repeated++;
        await this.#wait(backoffMs(failures));
      } else if ('response' in outcome) {
        return outcome.response as ApiResponse<T>;
      } else {
        throw new DemoError(`${method} ${path}: no answer (${reasonOf(outcome.connectionFailure)}).`);
      }
    }
  }

  #learn(kind: 'read' | 'write', response: ApiResponse): void {
    const pauseMs = pauseAfter(response);
    if (pauseMs > maxPauseMs) throw new DemoError(`The server asks to wait for ${pauseMs / 1000} s.`);
    this.#notBefore[kind] = performance.now() + pauseMs;
  }

  async #wait(ms: number): Promise<void> {
    const { signal, onWait } = this.#options;
    signal.throwIfAborted();
    if (ms <= 0) return;
    onWait?.(ms);
    await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  async #send(method: string, path: string, options: RequestOptions): Promise<Outcome> {
    const { baseUrl, token, signal } = this.#options;
    const { body, lines, idempotencyKey, timeoutMs = requestTimeoutMs } = options;
    try {
      const answer = await fetch(baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(lines !== undefined && { 'content-type': 'application/x-ndjson' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(lines !== undefined && { body: ndjsonOf(lines), duplex: 'half' as const }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { response: { status: answer.status, headers: answer.headers, bytes, json: parsed(bytes) } };
    } catch (error) {
      signal.throwIfAborted();
      return { connectionFailure: error as Error };
    }
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** fetch has the reason in `cause`. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** @throws DemoError with the response, unless it has the expected status */
export function requireStatus(response: ApiResponse, status: number, what: string): void {
  if (response.status !== status)
    throw new DemoError(`${what}: answered ${response.status} ${response.bytes.toString('utf8', 0, 500)}`);
}
