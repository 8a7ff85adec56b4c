import type { FastifyRequest } from 'fastify';
import type { ReceivedBody, RequestBody } from '../../api/request-body.ts';
import { ApiError } from '../../errors/api-error.ts';
import { BodyBlocks } from './body-blocks.ts';
import { BodySource } from './body-source.ts';
import type { HttpTimes } from './body-times.ts';

/** Reads the body of one request from its connection. */
export class BodyReader implements RequestBody {
  readonly #request: FastifyRequest;
  readonly #source: BodySource;

  constructor(request: FastifyRequest, times: HttpTimes) {
    this.#request = request;
    this.#source = new BodySource(request.raw, times);
  }

  async read(limit: number): Promise<ReceivedBody> {
    const declared = declaredLength(this.#request);
    if (declared !== null && declared > limit) throw new ApiError('payload_too_large');
    const blocks = new BodyBlocks(declared);
    for await (const chunk of this.chunks()) {
      if (blocks.length + chunk.length > limit) throw new ApiError('payload_too_large');
      blocks.append(chunk);
    }
    return blocks.finish();
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = await this.#source.next();
      if (chunk === null) return;
      yield chunk;
    }
  }

  /** Lets go of the request; call it when the body is no longer needed. */
  close(): void {
    this.#source.close();
  }
}

/** The Content-Length in bytes; null for a chunked body. */
function declaredLength({ headers }: FastifyRequest): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}
