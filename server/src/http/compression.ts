import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Owner, Semaphore } from '../lib/semaphore.ts';
import { ownerOf } from './request-owner.ts';

export type Coding = 'br' | 'gzip';

interface AcceptedCoding {
  /** null: the client accepts no offered coding, or prefers none. */
  readonly coding: Coding | null;
  /** True if `identity` is refused, so that a short body is compressed too. */
  readonly isRequired: boolean;
}

const none: AcceptedCoding = { coding: null, isRequired: false };
const element = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/**
 * Chooses the content coding that `Accept-Encoding` prefers (RFC 9110, 12.5.3): the largest weight; on a tie a named coding
 * before one that only `*` covers, and Brotli before gzip. `*` alone selects gzip, which every client decodes. Malformed elements
 * are ignored. A client that refuses everything receives the plain body.
 */
export function chooseCoding(header: string | undefined): AcceptedCoding {
  if (header === undefined) return none;
  const weights = weightsOf(header);
  const rest = weights.get('*');
  const identity = weights.get('identity') ?? (rest === 0 ? 0 : undefined);
  const offers: { coding: Coding; weight: number }[] = [];
  for (const coding of ['br', 'gzip'] as const) {
    const weight = weights.get(coding);
    if (weight !== undefined) offers.push({ coding, weight });
  }
  for (const coding of ['gzip', 'br'] as const)
    if (!weights.has(coding) && rest !== undefined) offers.push({ coding, weight: rest });
  const best = offers.reduce<{ coding: Coding | null; weight: number }>(
    (leading, offer) => (offer.weight > leading.weight ? offer : leading),
    { coding: null, weight: 0 },
  );
  if (best.coding === null || (identity ?? 0) > best.weight) return none;
  return { coding: best.coding, isRequired: identity === 0 };
}

/** The weight of each named coding; the first one counts, and `x-gzip` is gzip (RFC 9110, 8.4.1.3). */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const text of header.toLowerCase().split(',')) {
    const [, name, weight = '1'] = element.exec(text.trim()) ?? [];
    if (name === undefined) continue;
    const coding = name === 'x-gzip' ? 'gzip' : name;
    if (!weights.has(coding)) weights.set(coding, Number(weight));
  }
  return weights;
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** libuv has four threads: one stays free for gzip bodies, files and names, and one for another owner [platform-76]. */
const turns = new Semaphore({ total: 3, perOwner: 1, lendsAllBut: 1, maxWaiting: Number.POSITIVE_INFINITY });

/**
 * Compression levels. `fast` is for responses that are built once, `small` for bodies that are kept. Product lists of 28 KB to
 * 1.1 MB take 0.05 to 2.1 ms of a thread for 16 to 19 % of their size with Brotli 1; Brotli 4 and gzip 4 gain 1 % for two to four
 * times the time.
 */
const levels = {
  fast: { br: 1, gzip: 1 },
  small: { br: 9, gzip: 9 },
} as const;

/** Compresses on a separate thread; a call costs the event loop 0.1 ms at any size. */
function compressBody(
  body: Uint8Array,
  { coding, owner }: { readonly coding: Coding; readonly owner: Owner },
  effort: keyof typeof levels = 'fast',
): Promise<Buffer> {
  return turns.run(owner, () => {
    if (coding === 'gzip') return compressGzip(body, { level: levels[effort].gzip });
    const params = {
      [zlib.BROTLI_PARAM_QUALITY]: levels[effort].br,
      [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
      [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
    };
    return compressBrotli(body, { params });
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response contains a secret. It is never compressed, because its length must not depend on its content (BREACH). */
    readonly revealsSecret?: boolean;
  }
}

/** Bodies up to this many bytes fit into one packet with their headers, so compression gains nothing. */
const smallest = 1_024;
const compressible = /^(?:application\/(?:json|x-ndjson)|text\/)/;

/**
 * Compresses bodies above 1 KiB for clients that accept gzip or br [platform-70] [D61]. Such a client receives the weak form of
 * the tag, since one tag then covers several byte sequences (RFC 9110, 8.8.3.3). `Vary` is on every response that could have been
 * compressed, including 304.
 */
export function addCompression(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config?.revealsSecret === true || reply.hasHeader('content-encoding')) {
      done(null, payload);
      return;
    }
    addVary(reply);
    const accepted = chooseCoding(request.headers['accept-encoding']);
    if (accepted.coding === null) {
      done(null, payload);
      return;
    }
    weakenTag(reply);
    const body = bodyToCompress(reply, payload, accepted);
    if (body === null) {
      done(null, payload);
      return;
    }
    compressBody(body, { coding: accepted.coding, owner: ownerOf(request) }).then((compressed) => {
      reply.header('content-encoding', accepted.coding).removeHeader('content-length');
      done(null, compressed);
    }, done);
  });
}

function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  if (String(vary ?? '').includes('accept-encoding')) return;
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
}

function weakenTag(reply: FastifyReply): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && tag.startsWith('"')) reply.header('etag', `W/${tag}`);
}

function bodyToCompress(
  reply: FastifyReply,
  payload: unknown,
  { isRequired }: AcceptedCoding,
): Buffer | null {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return null;
  if (!compressible.test(String(reply.getHeader('content-type') ?? ''))) return null;
  const length = Buffer.byteLength(payload);
  if (length === 0 || (length <= smallest && !isRequired)) return null;
  return Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
}

/** Sends a body that is in the coding already. */
export function sendCompressed(reply: FastifyReply, coding: Coding, body: Buffer): FastifyReply {
  addVary(reply);
  return reply.header('content-encoding', coding).send(body);
}

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
    return sendCompressed(reply, coding, await this.#in(coding));
  }

  #in(coding: Coding): Promise<Buffer> {
    const kept = this.#compressed.get(coding) ?? compressBody(this.bytes, { coding, owner: null }, 'small');
    this.#compressed.set(coding, kept);
    return kept;
  }
}
