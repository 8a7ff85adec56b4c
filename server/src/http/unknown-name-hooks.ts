import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { type AnyOperation, takesIfMatch } from '../api/operation.ts';
import {
  maxIgnored,
  maxRefused,
  type UnknownName,
  type UnknownNameReport,
  unknownNameFinder,
  unknownNameMessage,
} from '../api/unknown-names.ts';
import { ApiError, type FieldErrors } from '../errors/api-error.ts';
import type { Metrics } from './metrics.ts';

/** A preference, `token [ = word ]` with parameters, or anything else between two commas. */
const preference =
  /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*([!#$%&'*+.^_`|~0-9A-Za-z-]*|"(?:[^"\\]|\\.)*"))?\s*(?:;|$)/;
/** The list's elements: commas within quoted strings do not separate. An unclosed quote runs to the end. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"|"[\s\S]*$)+/g;

/**
 * Returns the value of a preference in a `Prefer` header (RFC 7240, 4), lower case: `strict` of `handling=strict`, as a token or
 * quoted string. The first of its name counts, and malformed elements are ignored; null: there is none. `header`: several headers
 * of that name, as joined by Node.
 */
export function preferenceOf(
  header: string | readonly string[] | undefined,
  wanted: 'handling' | 'return',
): string | null {
  if (header === undefined || header.length === 0) return null;
  const text = typeof header === 'string' ? header : header.join(',');
  for (const [part] of text.matchAll(element)) {
    const [, name, value = ''] = preference.exec(part) ?? [];
    if (name?.toLowerCase() === wanted) return unquoted(value).toLowerCase();
  }
  return null;
}

function unquoted(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word;
}

/** The maximum length after encoding, without `body.` or `query.`, which keeps the header below 1.5 KB. */
const nameLength = 64;

/**
 * The value of `X-Ignored`: `body.location_code, query.updatedSince` [platform-26] [D64]. At most 20 names, each truncated to 64
 * characters. Everything but visible ASCII is percent-encoded as UTF-8, and so are `,` and `%`: splitting at the commas and
 * decoding restores the names.
 */
export function ignoredHeader(
  body: readonly UnknownName[],
  query: readonly UnknownName[],
  header: readonly string[] = [],
): string {
  const names = [
    ...header.map((name) => `header.${name}`),
    ...body.map(({ path }) => `body.${encoded(path)}`),
    ...query.map(({ path }) => `query.${encoded(path)}`),
  ];
  return names.slice(0, maxIgnored).join(', ');
}

function encoded(path: string): string {
  let text = '';
  for (const character of path) {
    const next = /[!-~]/.test(character) && !',%'.includes(character) ? character : percentEncoded(character);
    if (text.length + next.length > nameLength) break;
    text += next;
  }
  return text;
}

/** A lone surrogate, which UTF-8 does not have, becomes U+FFFD. */
function percentEncoded(character: string): string {
  return [...Buffer.from(character, 'utf8')]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The unknown names of the request; null if there are none to report. */
    unknownNames: UnknownNames | null;
  }
}

export function addUnknownNames(app: FastifyInstance): void {
  app.decorateRequest('unknownNames', null);
}

interface UnknownNames {
  readonly isStrict: boolean;
  /** Conditions that the operation does not take, lower case. */
  readonly header: readonly string[];
  readonly query: readonly UnknownName[];
  body: readonly UnknownName[];
}

/** The hooks of one operation, in the order in which they run. */
interface UnknownNameHooks {
  /** Runs after admission: a 401, 403 or 429 reports no unknown names. */
  readonly onRequest: onRequestHookHandler;
  /** Runs once the body is parsed. */
  readonly preValidation: preValidationHookHandler;
  /** Throws the errors of the schema, which the routes attach to the request. */
  readonly preHandler: preHandlerHookHandler;
}

/**
 * Ensures that nothing is ignored silently [platform-25]: the response lists unknown names in `X-Ignored`; with `Prefer:
 * handling=strict` they are a 422, together with the schema's errors. The headers are set before the operation runs, so that
 * every response has them, including replays and 404s; they are never recorded with a response.
 */
export function unknownNameHooks(operation: AnyOperation, metrics: Metrics): UnknownNameHooks {
  const findInQuery = unknownNameFinder(operation.query);
  const findInBody = unknownNameFinder(operation.body, operation.droppedFields);
  const conditions = conditionsIgnoredBy(operation);
  return {
    onRequest: (request, reply, done) => {
      const isStrict = preferenceOf(request.headers['prefer'], 'handling') === 'strict';
      const query = request.url.includes('?') ? findInQuery(request.query, limitOf(isStrict)) : [];
      const header = conditions.filter((name) => request.headers[name] !== undefined);
      if (isStrict || query.length > 0 || header.length > 0) {
        request.unknownNames = { isStrict, header, query, body: [] };
        setHeaders(request, reply);
      }
      done();
    },
    preValidation: (request, reply, done) => {
      if (operation.kind !== 'stream' && request.body !== undefined) {
        const { isStrict = false, header = [], query = [] } = request.unknownNames ?? {};
        const body = findInBody(request.body, limitOf(isStrict));
        if (body.length > 0) {
          request.unknownNames = { isStrict, header, query, body };
          setHeaders(request, reply);
        }
      }
      if (isIgnoring(request)) metrics.namesIgnored(operation.id);
      done();
    },
    preHandler: (request, _reply, done) => {
      const { validationError, unknownNames } = request;
      if (validationError !== undefined && !(validationError instanceof ApiError))
        return done(validationError);
      const found = validationError?.details.errors ?? {};
      if (unknownNames?.isStrict !== true) return done(validationError);
      const errors = withUnknownNames(found, unknownNames);
      return Object.keys(errors).length === 0 ? done() : done(new ApiError('validation_failed', { errors }));
    },
  };
}

/** The conditions of a write (RFC 9110, 13) that it would ignore: a client may rely on them [platform-94]. */
function conditionsIgnoredBy(operation: AnyOperation): string[] {
  if (operation.kind !== 'client-write') return [];
  const all = ['if-match', 'if-none-match', 'if-unmodified-since'];
  return takesIfMatch(operation) ? all.slice(1) : all;
}

export function unknownNameReport(
  operation: AnyOperation,
  metrics: Metrics,
  request: FastifyRequest,
  reply: FastifyReply,
): UnknownNameReport {
  const { isStrict = false, header = [], query = [] } = request.unknownNames ?? {};
  return {
    isStrict,
    ignored: (body) => {
      if (body.length === 0 || isStrict) return;
      if (!isIgnoring(request)) metrics.namesIgnored(operation.id);
      request.unknownNames = { isStrict, header, query, body };
      setHeaders(request, reply);
    },
  };
}

function isIgnoring({ unknownNames }: FastifyRequest): boolean {
  return unknownNames !== null && !unknownNames.isStrict;
}

function limitOf(isStrict: boolean): number {
  return isStrict ? maxRefused : maxIgnored;
}

function setHeaders({ unknownNames }: FastifyRequest, reply: FastifyReply): void {
  if (unknownNames === null) return;
  const { isStrict, header, body, query } = unknownNames;
  if (isStrict) reply.header('preference-applied', 'handling=strict');
  else reply.header('x-ignored', ignoredHeader(body, query, header));
}

function withUnknownNames(found: FieldErrors, { header, query, body }: UnknownNames): FieldErrors {
  const errors = new Map(Object.entries(found));
  const add = (what: string) => (unknown: UnknownName) => {
    const messages = errors.get(unknown.path);
    const message = unknownNameMessage(unknown, what);
    if (messages !== undefined) errors.set(unknown.path, [...messages, message]);
    else if (errors.size < maxRefused) errors.set(unknown.path, [message]);
  };
  for (const name of header) errors.set(name, ['is not supported by this operation: leave it out']);
  body.forEach(add('field'));
  query.forEach(add('query parameter'));
  return Object.fromEntries(errors);
}
