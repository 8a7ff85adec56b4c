import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseTagList } from '../../lib/entity-tags.ts';
import { sha256 } from '../../lib/sha256.ts';
import { chooseCoding } from '../accept-encoding.ts';
import { KeptBody } from '../docs/kept-body.ts';
import { guidePolicy } from './guide-page.ts';

/** A constant body with its entity tag; it is compressed once for each coding. */
export class ServedPage {
  readonly #body: KeptBody;
  readonly #contentType: string;
  /** Changes when the bytes change. */
  readonly version: string;

  constructor(text: string, contentType: string) {
    this.#body = new KeptBody(text);
    this.#contentType = `${contentType}; charset=utf-8`;
    this.version = sha256(this.#body.bytes).toString('base64url').slice(0, 22);
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { coding } = chooseCoding(request.headers['accept-encoding']);
    const tag = `"${this.version}"`;
    reply
      .header('etag', coding === null ? tag : `W/${tag}`)
      .header('content-security-policy', guidePolicy)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff');
    const known = parseTagList(request.headers['if-none-match']);
    if (known === '*' || known?.includes(tag) === true) return reply.code(304).send();
    return this.#body.send(request, reply.type(this.#contentType));
  }
}
