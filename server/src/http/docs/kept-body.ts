import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, chooseCoding } from '../accept-encoding.ts';
import { compressBody } from '../compress-body.ts';
import { addVary } from '../compression.ts';

/** A constant body that is compressed once per coding, on first request. */
export class KeptBody {
  readonly bytes: Buffer;
  readonly #compressed = new Map<Coding, Promise<Buffer>>();

  constructor(bytes: Buffer | string) {
    this.bytes = Buffer.from(bytes);
  }

  /** Sends the body in the coding that the client prefers. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { coding } = chooseCoding(request.headers['accept-encoding']);
    if (coding === null) return reply.send(this.bytes);
    const compressed = await this.#in(coding);
    addVary(reply);
    return reply.header('content-encoding', coding).send(compressed);
  }

  #in(coding: Coding): Promise<Buffer> {
    const kept = this.#compressed.get(coding) ?? compressBody(this.bytes, coding, 'small');
    this.#compressed.set(coding, kept);
    return kept;
  }
}
