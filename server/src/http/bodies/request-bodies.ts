import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BodyReader } from './body-reader.ts';
import { BodyRooms, defaultBodyBudget } from './body-rooms.ts';
import { defaultHttpTimes, type HttpTimes } from './body-times.ts';
import { contentCodingOf, requireUtf8 } from './content-coding.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while the request has a body in flight. */
    bodyReader: BodyReader | null;
  }
}

export interface RequestBodiesOptions {
  readonly budget?: number;
  /** Default: `defaultHttpTimes`. */
  readonly times?: Partial<HttpTimes>;
}

/** Reads the bodies of requests; one per process, shared by both listeners. */
export class RequestBodies {
  readonly times: HttpTimes;
  readonly rooms: BodyRooms;

  constructor({ budget = defaultBodyBudget, times }: RequestBodiesOptions = {}) {
    this.times = { ...defaultHttpTimes, ...times };
    this.rooms = new BodyRooms(budget);
  }

  /** Releases a body when the response to its request is sent, with any outcome. */
  register(app: FastifyInstance): void {
    app.decorateRequest('bodyReader', null);
    app.addHook('onSend', (request, _reply, payload, done) => {
      if (request.bodyReader !== null) {
        request.bodyReader.close();
        request.bodyReader = null;
      }
      done(null, payload);
    });
  }

  /** Returns the unread body. @throws ApiError `unsupported_media_type` for a charset or content coding that is not accepted */
  open(request: FastifyRequest, { acceptsGzip }: { acceptsGzip: boolean }): BodyReader {
    requireUtf8(request.headers['content-type']);
    const coding = contentCodingOf(request.headers['content-encoding'], acceptsGzip);
    request.bodyReader = new BodyReader(request, { rooms: this.rooms, times: this.times, coding });
    return request.bodyReader;
  }
}
