import {
  BrandportError,
  ConnectionFailed,
  DeadlineExceeded,
  errorFromResponse,
  unexpectedResponse,
} from '../errors.ts';
import { attempt, type Outcome, type RequestBody } from './attempt.ts';
import { Lifetime, notify, type RequestEvent, type Settings } from './client-options.ts';
import { adviceFor, failureReason, unusedProxy } from './connection-advice.ts';
import { longestAskedMs, Pacer, type Slot } from './pacer.ts';
import { isRetryableResponse, isSuccess, type ReceivedResponse, retryAfterMs } from './response.ts';

/** A call, ready to be sent as often as needed. */
export interface TransportRequest {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Creates the body of an attempt. */
  readonly body?: () => RequestBody;
  readonly idempotencyKey: string | null;
  /** The request has the same effect once and twice. */
  readonly isRepeatable: boolean;
  /** The response is not JSON. */
  readonly isText: boolean;
  /** The queue of the pacer. */
  readonly queue: string;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface TransportAnswer {
  readonly response: ReceivedResponse;
  readonly attempts: number;
}

/** Sends calls: paces them, retries what is safe to retry, and turns refusals into errors. */
export class Transport {
  readonly #settings: Settings;
  /** A closure, so that no inspection of the client shows the secret. */
  readonly #authorization: () => string;
  readonly #pacer: Pacer;
  #hasAnswered = false;

  constructor(settings: Settings, authorization: string) {
    this.#settings = settings;
    this.#authorization = () => authorization;
    const { pace: isPaced, maxConcurrency, hooks } = settings;
    this.#pacer = new Pacer({ isPaced, maxConcurrency, onPace: hooks.onPace });
  }

  /**
   * Returns the response with a status of 2xx.
   * @throws BrandportError; the reason of the caller's signal, once it is aborted
   */
  async send(request: TransportRequest): Promise<TransportAnswer> {
    const lifetime = new Lifetime(request.signal, request.deadlineMs);
    const progress: Progress = { attempts: 0, lastError: null, failedAt: null, mayHaveHappened: false };
    try {
      return await this.#sendWithin(lifetime, request, progress);
    } catch (error) {
      if (!lifetime.isExpired || error instanceof BrandportError) throw error;
      throw new DeadlineExceeded({
        code: 'deadline_exceeded',
        message: `The deadline of ${request.deadlineMs} ms passed.`,
        retryable: true,
        cause: progress.lastError ?? undefined,
      }).during({ ...request, attempts: progress.attempts });
    } finally {
      lifetime.end();
    }
  }

  async #sendWithin(
    lifetime: Lifetime,
    request: TransportRequest,
    progress: Progress,
  ): Promise<TransportAnswer> {
    for (;;) {
      const slot = await this.#pacer.enter(request.queue, lifetime.signal, progress.attempts > 0);
      progress.attempts += 1;
      const { outcome, event } = await this.#attempt(request, progress.attempts, slot, lifetime.signal);
      if ('response' in outcome && isDone(outcome.response, request, progress))
        return { response: outcome.response, attempts: progress.attempts };
      const error = this.#errorOf(outcome, request).during({ ...request, attempts: progress.attempts });
      progress.lastError = error;
      progress.failedAt ??= performance.now();
      progress.mayHaveHappened ||=
        'failure' in outcome ? outcome.mayHaveArrived : outcome.response.status >= 500;
      if (this.#isExhausted(request, progress) || !mayRetry(outcome, request)) throw error;
      const askedMs = 'response' in outcome ? retryAfterMs(outcome.response.headers) : null;
      if (askedMs !== null && askedMs > longestAskedMs) throw withLongWait(error, askedMs);
      const waitMs = retryWaitMs(progress.attempts, askedMs);
      notify(this.#settings.hooks.onRetry, { ...event, error, waitMs });
      await lifetime.wait(waitMs);
    }
  }

  #isExhausted({ maxRetries }: TransportRequest, { attempts, failedAt }: Progress): boolean {
    if (attempts <= maxRetries) return false;
    const { retryForMs } = this.#settings;
    return !this.#hasAnswered || performance.now() - (failedAt ?? 0) >= retryForMs;
  }

  #errorOf(outcome: Outcome, { idempotencyKey, url, timeoutMs }: TransportRequest): BrandportError {
    if ('failure' in outcome) {
      const { failure, isTimeout } = outcome;
      const { host, hostname, protocol } = new URL(url);
      const reason = failureReason(failure);
      const advice = adviceFor(failure) ?? unusedProxy(protocol, hostname);
      const told = isTimeout
        ? `No complete response arrived from ${host} in ${timeoutMs} ms.`
        : `The connection to ${host} failed${reason === undefined ? '' : `: ${reason}`}.`;
      return new ConnectionFailed({
        code: isTimeout ? 'attempt_timed_out' : 'connection_failed',
        message: advice === null ? told : `${told} ${advice}`,
        retryable: adviceFor(failure) === null,
        cause: failure,
      });
    }
    const { response } = outcome;
    if (!isSuccess(response)) return errorFromResponse(response, this.#settings.baseUrl, url);
    return unexpectedResponse(response, { retryable: idempotencyKey !== null });
  }

  async #attempt(
    request: TransportRequest,
    number: number,
    slot: Slot,
    signal: AbortSignal,
  ): Promise<{ outcome: Outcome; event: RequestEvent }> {
    const { operation, method, url, idempotencyKey, headers, body, timeoutMs } = request;
    const { hooks, fetch } = this.#settings;
    const event = { operation, method, url, attempt: number, idempotencyKey, pacedMs: slot.waitedMs };
    let received: ReceivedResponse | null = null;
    const startedAt = performance.now();
    try {
      notify(hooks.onRequest, event);
      const init: RequestInit & { duplex?: 'half' } = {
        method,
        headers: { ...headers, authorization: this.#authorization() },
        // A redirect would turn a POST into a GET.
        redirect: 'manual',
        ...(body !== undefined && { body: body(), duplex: 'half' }),
      };
      const outcome = await attempt(url, init, { fetch, timeoutMs, signal });
      if ('response' in outcome) received = outcome.response;
      this.#hasAnswered ||= received !== null && received.status < 500;
      return { outcome, event };
    } finally {
      slot.leave(received);
      const durationMs = performance.now() - startedAt;
      const { status = null, requestId = null } = received ?? {};
      notify(hooks.onResponse, { ...event, status, requestId, durationMs });
    }
  }
}

interface Progress {
  attempts: number;
  lastError: BrandportError | null;
  /** When the first attempt failed, by `performance.now()`. */
  failedAt: number | null;
  /** An earlier attempt may have had its effect. */
  mayHaveHappened: boolean;
}

/** A repeated DELETE that finds nothing has been executed by the attempt whose response was lost. */
function isDone(response: ReceivedResponse, request: TransportRequest, progress: Progress): boolean {
  const { method, isText } = request;
  if (method === 'DELETE' && response.status === 404) return progress.mayHaveHappened;
  if (!isSuccess(response)) return false;
  return isText || (response.text === '' ? method === 'DELETE' : isObject(response.json()));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withLongWait<Failure extends Error>(error: Failure, askedMs: number): Failure {
  const asked = `The service asks to wait ${Math.ceil(askedMs / 1_000)} s, which is more than ${longestAskedMs / 60_000} minutes: call again then.`;
  error.message = `${error.message} ${asked}`;
  return error;
}

const firstWaitMs = 500;
const longestWaitMs = 20_000;
const jitter = 0.2;

interface RetriedRequest {
  /** The request has the same effect once and twice: by its method, or by its Idempotency-Key. */
  readonly isRepeatable: boolean;
  readonly idempotencyKey: string | null;
}

/**
 * Returns whether a request may be sent again. A request that is not repeatable is only sent again if the service
 * cannot have executed it. After a success that could not be read, the key gets the recorded response.
 */
function mayRetry(outcome: Outcome, { isRepeatable, idempotencyKey }: RetriedRequest): boolean {
  if ('failure' in outcome)
    return adviceFor(outcome.failure) === null && (isRepeatable || !outcome.mayHaveArrived);
  if (isSuccess(outcome.response)) return idempotencyKey !== null;
  if (!isRetryableResponse(outcome.response)) return false;
  return isRepeatable || outcome.response.status === 429;
}

/**
 * Returns the wait before the n-th retry, in milliseconds: what the service asks for, else 0.5 s doubling up to 20 s,
 * and up to a fifth more, so that clients that failed together do not return together.
 */
function retryWaitMs(retry: number, askedMs: number | null, random: number = Math.random()): number {
  const waitMs = askedMs ?? Math.min(longestWaitMs, firstWaitMs * 2 ** (retry - 1));
  return waitMs * (1 + jitter * random);
}
