import { type ReceivedResponse, receive } from './received-response.ts';

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

export interface AttemptOptions {
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
  const timer = setTimeout(() => {
    isTimeout = true;
    controller.abort();
  }, timeoutMs);
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

/** Returns why a connection failed, for a message: the code, or the innermost sentence. */
export function failureReason(failure: unknown): string | undefined {
  const code = connectionCode(failure);
  if (code !== undefined) return code;
  let error = failure;
  for (let depth = 0; depth < 4 && error instanceof Error && error.cause !== undefined; depth += 1)
    error = error.cause;
  if (!(error instanceof Error) || error === failure) return undefined;
  // The Fetch standard refuses the ports of other protocols.
  return error.message === 'bad port' ? 'fetch blocks this port' : error.message;
}

/** `fetch` of Node has the code in the cause; with several addresses, in the first of its errors. */
function connectionCode(failure: unknown): string | undefined {
  for (let error: unknown = failure, depth = 0; depth < 4; depth += 1) {
    if (typeof error !== 'object' || error === null) return undefined;
    if ('code' in error && typeof error.code === 'string') return error.code;
    const { cause, errors } = error as { cause?: unknown; errors?: readonly unknown[] };
    error = cause ?? errors?.[0];
  }
  return undefined;
}
