import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib';
import { EngineException } from './exception.ts';

const encoders = {
  gzip: createGzip,
  deflate: createDeflate,
  br: createBrotliCompress,
  zstd: createZstdCompress,
};

/** Thrown to stop a query whose client closed the connection. */
export class ClientGone extends EngineException {
  constructor() {
    super('Code: 210. DB::Exception: The client closed the connection. (NETWORK_ERROR)');
  }
}

/** The body of a successful response, compressed if the client asked for it, written as fast as the client reads. */
export class ResponseBody {
  readonly #response: ServerResponse;
  readonly #target: Writable;

  /**
   * Sends the status 200 and the headers.
   * @param compresses false if the setting `enable_http_compression` is off, as it is by default
   */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    compresses: boolean,
  ) {
    this.#response = response;
    const accepted = (request.headers['accept-encoding'] ?? '').split(',').map((name) => name.trim());
    const encoding = compresses
      ? accepted.find((name): name is keyof typeof encoders => name in encoders)
      : undefined;
    response.writeHead(200, { ...headers, ...(encoding !== undefined && { 'content-encoding': encoding }) });
    if (encoding === undefined) {
      this.#target = response;
      return;
    }
    this.#target = encoders[encoding]();
    this.#target.on('error', () => response.destroy());
    (this.#target as unknown as NodeJS.ReadableStream).pipe(response);
  }

  /** @throws ClientGone if the client closed the connection */
  async write(part: Uint8Array): Promise<void> {
    if (this.#response.destroyed) throw new ClientGone();
    if (this.#target.write(part)) return;
    await Promise.race([once(this.#target, 'drain'), once(this.#response, 'close')]);
    if (this.#response.destroyed) throw new ClientGone();
  }

  end(rest = ''): void {
    this.#target.end(rest);
  }
}
