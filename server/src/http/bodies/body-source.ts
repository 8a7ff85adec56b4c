import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { isCutOff } from '../connections.ts';

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

export type ContentCoding = 'identity' | 'gzip';

/**
 * The coding of a request body [platform-30]; `x-gzip` is gzip.
 * @throws ApiError `unsupported_media_type` for any other coding, for several, and for gzip where it is not accepted
 */
export function contentCodingOf(header: string | undefined, acceptsGzip: boolean): ContentCoding {
  if (header === undefined) return 'identity';
  const codings = header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0) return 'identity';
  if (acceptsGzip && codings.length === 1 && (codings[0] === 'gzip' || codings[0] === 'x-gzip'))
    return 'gzip';
  throw new ApiError('unsupported_media_type', {
    message: acceptsGzip
      ? 'The Content-Encoding must be gzip or absent.'
      : 'This endpoint does not support Content-Encoding.',
    // RFC 9110, 15.5.16.
    headers: { 'accept-encoding': acceptsGzip ? 'gzip' : 'identity' },
  });
}

const charsetParameter = /;\s*charset\s*=\s*("?)([^";]*)\1/gi;
const utf8Name = /^utf-?8$/i;

/** Bodies are always read as UTF-8 [platform-89]. @throws ApiError `unsupported_media_type` for a charset other than utf-8 */
export function requireUtf8(contentType: string | undefined): void {
  for (const [, , name = ''] of (contentType ?? '').matchAll(charsetParameter))
    if (!utf8Name.test(name.trim()))
      throw new ApiError('unsupported_media_type', {
        message: 'The charset of the Content-Type must be utf-8 or absent.',
      });
}

const outputBytes = 64 * 1024;

/**
 * Decodes a gzip body piece by piece, only as fast as the pieces are consumed. Several gzip members in a row are one body (RFC
 * 1952, 2.2).
 * @throws ApiError `validation_failed` on `body` if it is not gzip, is truncated, or is followed by other bytes; what `chunks`
 * throws
 */
export async function* decodeGzip(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: outputBytes });
  const left = new AbortController();
  let sent = 0;
  let isSent = false;
  const send = async () => {
    try {
      for await (const chunk of chunks) {
        sent += chunk.length;
        if (!gunzip.write(chunk, () => freeBytes(chunk)))
          await once(gunzip, 'drain', { signal: left.signal });
        if (left.signal.aborted) return;
      }
      isSent = true;
      gunzip.end();
    } catch (error) {
      gunzip.destroy(error as Error);
    }
  };
  gunzip.on('error', () => {});
  void send();
  try {
    yield* gunzip as AsyncIterable<Buffer>;
    // zlib ends at the end of the gzip data and leaves zeros that follow it unread [D42].
    if (!isSent || gunzip.bytesWritten !== sent)
      throw invalidField('body', 'must not have data after its gzip stream');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') ? invalidField('body', 'must be valid gzip') : error;
  } finally {
    left.abort();
    gunzip.destroy();
  }
}

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
