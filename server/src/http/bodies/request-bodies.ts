import type { FastifyRequest } from 'fastify';
import { BodyReader } from './body-reader.ts';
import { defaultHttpTimes, type HttpTimes } from './body-times.ts';

export interface RequestBodiesOptions {
  /** Default: `defaultHttpTimes`. */
  readonly times?: Partial<HttpTimes>;
}

/** How the bodies of requests are read; one per process, shared by both listeners. */
export class RequestBodies {
  readonly times: HttpTimes;

  constructor(options: RequestBodiesOptions = {}) {
    this.times = { ...defaultHttpTimes, ...options.times };
  }

  /** The body of a request, unread. Close the reader when the request is done. */
  open(request: FastifyRequest): BodyReader {
    return new BodyReader(request, this.times);
  }
}
