import { AsyncLocalStorage } from 'node:async_hooks';
import { BrandportError, type ClientOptions, type Hooks } from '../../../client/src/index.ts';
import { DemoError } from '../demo-error.ts';

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

export interface DemoClientOptions<Api> {
  /** Creates the SDK's client. */
  readonly create: (options: Omit<ClientOptions, 'baseUrl'>) => Api;
  readonly traffic: Traffic;
  /** Aborts every wait and request; its reason is thrown. */
  readonly signal: AbortSignal;
  readonly onWait?: (ms: number) => void;
}

/** The options of every call. */
export interface DemoCallOptions {
  readonly signal: AbortSignal;
}

const maxRetries = 10;
/** Longer than any request of the demo, and shorter than a wait that makes no sense. */
const deadlineMs = 20 * 60_000;

interface Exchange {
  last: ApiResponse | null;
}

const exchanges = new AsyncLocalStorage<Exchange>();

/**
 * A client of the SDK that keeps every response as it arrived. The SDK parses responses and turns refusals into
 * errors; the demo compares statuses, headers and bytes.
 */
export class DemoClient<Api> {
  readonly #api: Api;
  readonly #signal: AbortSignal;

  constructor({ create, traffic, signal, onWait }: DemoClientOptions<Api>) {
    const hooks = hooksFor(traffic, onWait);
    this.#api = create({ maxRetries, deadlineMs, hooks, fetch: recordingFetch });
    this.#signal = signal;
  }

  /**
   * Runs one call of the SDK and returns the last response, with any status.
   * @throws DemoError if the server does not respond, or keeps refusing
   */
  async send<T>(call: (api: Api, options: DemoCallOptions) => PromiseLike<T>): Promise<ApiResponse<T>> {
    const exchange: Exchange = { last: null };
    try {
      await exchanges.run(exchange, async () => call(this.#api, { signal: this.#signal }));
    } catch (error) {
      if (this.#refusalIn(error) === null) throw error;
    }
    return exchange.last as ApiResponse<T>;
  }

  /**
   * Iterates pages or rows of the SDK. `what` names them in errors.
   * @throws DemoError if the server refuses, or does not respond
   */
  async *iterate<T>(
    what: string,
    rows: (api: Api, options: DemoCallOptions) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    try {
      yield* rows(this.#api, { signal: this.#signal });
    } catch (error) {
      const { status, body } = this.#refusalIn(error) ?? {};
      if (status === undefined) throw error;
      throw new DemoError(`${what}: answered ${status} ${JSON.stringify(body).slice(0, 500)}`);
    }
  }

  /** Returns the error of a response; null for any other error. @throws DemoError */
  #refusalIn(error: unknown): BrandportError | null {
    this.#signal.throwIfAborted();
    if (!(error instanceof BrandportError)) return null;
    const { code, operation, attempts, status } = error;
    if (code === 'rate_limited') throw new DemoError(`${operation} was refused ${attempts} times (429).`);
    if (status === null) throw new DemoError(`${operation ?? 'the call'}: no answer (${reasonOf(error)}).`);
    return error;
  }
}

function hooksFor(traffic: Traffic, onWait: (ms: number) => void = () => {}): Hooks {
  return {
    onRequest: () => {
      traffic.requests++;
    },
    onResponse: ({ status }) => {
      if (status === 429) traffic.refused++;
    },
    onRetry: ({ error, waitMs }) => {
      if (error.status !== 429) traffic.repeated++;
      onWait(waitMs);
    },
    onPace: ({ waitMs }) => onWait(waitMs),
  };
}

/** Reads the response to its end, keeps it for the current call, and returns a copy to the SDK. */
const recordingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  const exchange = exchanges.getStore();
  if (exchange !== undefined) exchange.last = { status, headers, bytes, json: parsed(bytes) };
  return new Response(bytes.length === 0 ? null : bytes, { status, headers });
};

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** `fetch` has the reason in the cause of its error, which is the cause of the SDK's. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

/** @throws DemoError with the response, unless it has the expected status */
export function requireStatus(response: ApiResponse, status: number, what: string): void {
  if (response.status !== status)
    throw new DemoError(`${what}: answered ${response.status} ${response.bytes.toString('utf8', 0, 500)}`);
}
