import type { Readable } from 'node:stream';
import { ApiError } from '../../errors/api-error.ts';
import { isCutOff } from '../client-connections.ts';

type SendingTimes = Pick<HttpTimes, 'stallMs' | 'graceMs' | 'minBytesPerSecond'>;

const events = ['readable', 'end', 'close'];

/**
 * Reads the chunks of a request one by one, and limits the time that the client takes to send them. The clock only runs inside
 * `next`: between calls the socket is paused.
 */
export class BodySource {
  readonly #stream: Readable;
  readonly #times: SendingTimes;
  #received = 0;
  #waitedMs = 0;
  #failure: ApiError | null = null;
  #wake: (() => void) | null = null;

  constructor(stream: Readable, times: SendingTimes) {
    this.#stream = stream;
    this.#times = times;
    for (const event of events) stream.on(event, this.#onEvent);
    stream.on('error', this.#onError);
  }

  /**
   * Returns the next chunk, or null at the end of the body. One call at a time.
   * @throws ApiError `request_timeout` if the client stalls or is too slow; `bad_request` if it disconnected
   */
  async next(): Promise<Buffer | null> {
    for (;;) {
      const chunk = this.#stream.read() as Buffer | null;
      if (chunk !== null) {
        this.#received += chunk.length;
        return chunk;
      }
      if (this.#stream.readableEnded) return null;
      if (this.#failure !== null) throw this.#failure;
      if (isCutOff(this.#stream)) throw new ApiError('bad_request');
      await this.#event();
    }
  }

  /** Stops listening to the stream, which remains unchanged. Safe to call again. */
  close(): void {
    for (const event of events) this.#stream.off(event, this.#onEvent);
    this.#stream.off('error', this.#onError);
  }

  readonly #onEvent = () => {
    this.#wake?.();
  };

  readonly #onError = (error: Error) => {
    // The parser's refusals arrive as ApiErrors; any other error is a broken connection.
    this.#failure = error instanceof ApiError ? error : new ApiError('bad_request');
    this.#wake?.();
  };

  #event(): Promise<void> {
    const { stallMs, graceMs, minBytesPerSecond } = this.#times;
    const allowedMs = graceMs + (this.#received / minBytesPerSecond) * 1000;
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.#wake = null;
          reject(new ApiError('request_timeout'));
        },
        Math.min(stallMs, Math.max(0, allowedMs - this.#waitedMs)),
      );
      this.#wake = () => {
        this.#wake = null;
        clearTimeout(timer);
        this.#waitedMs += performance.now() - start;
        resolve();
      };
    });
  }
}

/** Limits on slow clients [platform-75] [D31]. Only the time in which the server waits for bytes counts. */
export interface HttpTimes {
  /** Milliseconds from the start of a connection or request to the end of its headers. */
  readonly headersMs: number;
  /** Milliseconds without any byte of a body. */
  readonly stallMs: number;
  /** Milliseconds that any body may take, regardless of its pace. */
  readonly graceMs: number;
  /** The required average after the grace period, in bytes a second. */
  readonly minBytesPerSecond: number;
  /** Milliseconds for which the rest of a body is discarded after an early response. */
  readonly lingerMs: number;
  /** Milliseconds within which a client has to read some byte of its response. */
  readonly takeMs: number;
  /** Milliseconds for which a body waits for room in the budget. */
  readonly roomMs: number;
}

export const defaultHttpTimes: HttpTimes = {
  headersMs: 30_000,
  stallMs: 30_000,
  graceMs: 300_000,
  minBytesPerSecond: 16_384,
  lingerMs: 10_000,
  takeMs: 60_000,
  roomMs: 10_000,
};

/**
 * Frees the memory behind a view at once: V8 lets tens of MiB of unused buffers accumulate [D56]. All views of the buffer are
 * empty afterwards. Does nothing if the view is only a part of its buffer, because other views may use the rest.
 */
export function freeBytes(view: Uint8Array): void {
  if (view.byteLength === view.buffer.byteLength) freeBuffer(view.buffer);
}

/** Frees a buffer at once; its views are empty afterwards. Safe to call again and after a transfer to a thread. */
export function freeBuffer(buffer: ArrayBufferLike): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
