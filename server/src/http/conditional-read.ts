import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scopes } from '../api/access.ts';
import type { AnyOperation, ReadOperation, ServiceContext } from '../api/operation.ts';
import type { OperationRequest, ReadRequest } from '../api/operation-request.ts';
import {
  isUnchanged,
  type Reply,
  type ReplyVersion,
  type SettledResponse,
  type Unchanged,
} from '../api/reply.ts';
import { parseTagList } from '../lib/entity-tags.ts';
import { jsonText } from '../lib/json-text.ts';
import { takeTurn } from '../lib/loop-turns.ts';
import { OwnedCache } from '../lib/owned-cache.ts';
import type { Owner } from '../lib/semaphore.ts';

/** The folders of the server's source, and of the views and routines that it reads. */
const sourceDirs = ['..', '../../database'].map((dir) => fileURLToPath(new URL(dir, import.meta.url)));
let source: string | undefined;
const known = new WeakMap<AnyOperation, string>();

/**
 * Identifies how the operation serialises data [D34]: a digest of its 200 response's schema and of the server's source, which
 * covers everything else, such as rounding. It is equal in all processes of one version; after an upgrade, clients receive each
 * full response once.
 */
export function representationOf(operation: AnyOperation): string {
  const cached = known.get(operation);
  if (cached !== undefined) return cached;
  source ??= digestOfSource(...sourceDirs);
  const schema = JSON.stringify(operation.responses[200]?.schema ?? null);
  const representation = hash('sha256', `${source}\n${schema}`, 'base64url');
  known.set(operation, representation);
  return representation;
}

/** A digest of names and contents of all modules and SQL files below `dirs` that are not tests: 35 ms for 445 files. */
export function digestOfSource(...dirs: readonly string[]): string {
  const digest = createHash('sha256');
  for (const dir of dirs)
    for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(isProduct).sort()) {
      const content = readFileSync(join(dir, file));
      digest.update(`${file.replaceAll('\\', '/')}\n${content.length}\n`).update(content);
    }
  return digest.digest('base64url');
}

function isProduct(file: string): boolean {
  return /\.(ts|js|sql)$/.test(file) && !/(?:^|[\\/])tests[\\/]/.test(file);
}

/** A response body, and when it is what a fresh read would return. */
export interface CachedResponse {
  readonly body: string;
  readonly etag: string;
  /** The version that the statement which read the body returned. */
  readonly state: string;
  /** The first and last instants, milliseconds since the Unix epoch, between which the clock does not change the body. */
  readonly validFrom: number;
  readonly validUntil: number;
}

interface ResponseCacheUse {
  readonly bytes: number;
  readonly responses: number;
  readonly hits: number;
  readonly misses: number;
}

/** Bytes of an entry besides its body and key: the objects, and its place in the cache. */
const overhead = 600;

/** The number of recent misses that are remembered: more than the cache has room for. */
const rememberedMisses = 10_000;

/** A response that takes more than this part of the cache is not kept. */
const largestShare = 1 / 8;

/**
 * The bodies of recent reads that have a version. When they are too many, the brand with the most loses the least recently used.
 * A body is served again only if the statement of the new request finds the same version [D95]. It is kept when it is read for
 * the second time: keeping those that are read once would displace others.
 */
export class ResponseCache {
  readonly #responses: OwnedCache<number, CachedResponse> | null;
  readonly #largest: number;
  readonly #missed = new OwnedCache<number, true>(rememberedMisses);
  #hits = 0;
  #misses = 0;

  /** @param maxBytes 0 = nothing is kept */
  constructor(maxBytes: number) {
    this.#responses = maxBytes === 0 ? null : new OwnedCache(maxBytes);
    this.#largest = Math.floor(maxBytes * largestShare);
  }

  /** Returns the body that was kept under the key of a brand, if the clock has not changed it since. */
  find(brandId: number, key: string, now: number): CachedResponse | undefined {
    const kept = this.#responses?.get(brandId, key);
    return kept !== undefined && kept.validFrom <= now && now <= kept.validUntil ? kept : undefined;
  }

  /** Keeps the body, if one was kept or offered under the key recently. */
  offer(brandId: number, key: string, response: CachedResponse): void {
    if (this.#responses === null) return;
    if (!this.#missed.has(brandId, key) && !this.#responses.has(brandId, key)) {
      this.#missed.set(brandId, key, true);
      return;
    }
    const size = sizeOf(response, key);
    if (size > this.#largest) this.#responses.delete(brandId, key);
    else this.#responses.set(brandId, key, response, size);
  }

  count(isHit: boolean): void {
    if (isHit) this.#hits += 1;
    else this.#misses += 1;
  }

  get use(): ResponseCacheUse {
    const { size = 0, count = 0 } = this.#responses ?? {};
    return { bytes: size, responses: count, hits: this.#hits, misses: this.#misses };
  }
}

/** A string has one byte for each character if none is beyond U+00FF, else two. Only ASCII is sure to have one. */
function sizeOf({ body, etag, state }: CachedResponse, key: string): number {
  const bytes = Buffer.byteLength(body) === body.length ? body.length : 2 * body.length;
  return bytes + 2 * key.length + etag.length + state.length + overhead;
}

interface Request extends ReadRequest<never, never, never> {
  /** The header as it was sent. */
  readonly ifNoneMatch: string | undefined;
}

interface Answers {
  readonly responses: ResponseCache;
  /** Whose turns of the main thread a large response takes. */
  readonly owner: Owner;
  /** Reads the response; `known` is the version of a body that is kept. */
  readonly answer: (known: string | null) => Promise<Reply | Unchanged>;
}

/**
 * Responds to a read whose responses have versions [D34] [D95]. With `If-None-Match`, the current version is read
 * first; if a tag matches, the response is 304 without a body. Otherwise the full response is built, which can still
 * become a 304 (`*`, or a change that was reverted in between). An unsuccessful response is never a 304.
 */
export async function answerConditionally<Context extends ServiceContext>(
  operation: ReadOperation<Context>,
  context: Context,
  request: Request,
  { responses, owner, answer }: Answers,
): Promise<SettledResponse> {
  const { clock } = context;
  const key = readIdentityOf(operation, request);
  const { brandId } = request.caller;
  const wanted = parseTagList(request.ifNoneMatch);
  const serve = (
    { etag, body }: { etag: string; body: string },
    own: Reply['headers'] = {},
  ): SettledResponse =>
    wanted === '*' || wanted?.includes(etag)
      ? notModified(etag, own)
      : { status: 200, headers: { ...own, etag }, body };
  if (Array.isArray(wanted)) {
    const current = await operation.currentVersion?.(context, request);
    if (current !== null && current !== undefined) {
      const { state, headers: own } = typeof current === 'string' ? { state: current, headers: {} } : current;
      const digest = digestOf(operation, key, state);
      const now = clock.now();
      const held = wanted.find((tag) => isCurrent(tag, digest, now));
      if (held !== undefined) return notModified(held, own);
    }
  }
  const kept = responses.find(brandId, key, clock.now());
  const reply = await answer(kept?.state ?? null);
  if (isUnchanged(reply)) {
    if (kept === undefined) throw new Error(`${operation.id} has no response that could be unchanged`);
    responses.count(true);
    return serve(kept);
  }
  const { status, headers, version } = reply;
  if (version?.isKept !== false) responses.count(false);
  const body = await jsonText(reply.body as object, () => takeTurn(owner));
  if (version === undefined) return { status, headers: { ...headers }, body };
  const etag = entityTag(digestOf(operation, key, version.state), version.freshUntil);
  if (version.isKept === false) return serve({ etag, body }, headers);
  const response: CachedResponse = {
    body,
    etag,
    state: version.state,
    // The handler has read the clock before.
    validFrom: clock.now(),
    validUntil: version.freshUntil ?? Infinity,
  };
  responses.offer(brandId, key, response);
  return serve(response, headers);
}

/**
 * Returns whether `If-Match` names the response that the read would give now, or any [platform-94].
 * @param request a request of the same path, such as a write's
 */
export function isTagCurrent(
  read: ReadOperation,
  request: OperationRequest<unknown, unknown, unknown>,
  { ifMatch, state, now }: { readonly ifMatch: string; readonly state: string; readonly now: number },
): boolean {
  const tags = parseTagList(ifMatch);
  if (tags === '*') return true;
  // A read without parameters, as a write has none.
  const digest = digestOf(read, readIdentityOf(read, { ...request, query: {} }), state);
  return tags?.some((tag) => isCurrent(tag, digest, now)) === true;
}

/** With the headers that the 200 would have (RFC 9110, 15.4.5). */
function notModified(etag: string, own: Reply['headers']): SettledResponse {
  return { status: 304, headers: { ...own, etag }, body: '' };
}

/**
 * The data part of an entity tag: 22 characters that reveal nothing about the underlying counters. One state has a different
 * digest for each `identity` (`readIdentityOf`), so that two different responses never share a tag.
 */
export function digestOf(operation: ReadOperation<never>, identity: string, state: string): string {
  const what = `${representationOf(operation)}\n${identity}\n${state}`;
  return hash('sha256', what, 'base64url').slice(0, 22);
}

/** A strong tag: `"<digest>"`, or `"<digest>.<instant>"` if the response changes with the clock after that instant. */
function entityTag(digest: string, freshUntil: ReplyVersion['freshUntil']): string {
  return freshUntil === undefined || freshUntil === null
    ? `"${digest}"`
    : `"${digest}.${freshUntil.toString(36)}"`;
}

const form = /^"([A-Za-z0-9_-]{22})(?:\.([0-9a-z]{1,10}))?"$/;

/** Returns whether the tag, which the client sent, still identifies the response at the time `now`. */
function isCurrent(tag: string, digest: string, now: number): boolean {
  const [, sent, freshUntil] = form.exec(tag) ?? [];
  return sent === digest && (freshUntil === undefined || now <= Number.parseInt(freshUntil, 36));
}

/** All that determines a body but data and clock: operation, brand, scopes, path, query, and the prefix of links. */
function readIdentityOf(
  { id }: Pick<ReadOperation<never>, 'id'>,
  { caller, params, query, pathPrefix }: OperationRequest<unknown, unknown, unknown>,
): string {
  const held = scopes.filter((scope) => caller.scopes.has(scope)).join(' ');
  return [id, caller.brandId, held, inOneOrder(params), inOneOrder(query), pathPrefix].join('\n');
}

/** In one order, regardless of the client's. Values hold no objects. */
function inOneOrder(values: unknown): string {
  const given = values ?? {};
  return JSON.stringify(given, Object.keys(given).sort());
}
