import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { clientGone } from '../../../server/src/access/key-usage/usage-counts.ts';
import { idempotencyRuleOf, operationKit } from '../../../server/src/api/operation.ts';
import { clientDomains } from '../../../server/src/http/operations.ts';
import type { Services } from '../../../server/src/http/services.ts';
import { counted, type Exchange, examine, type Finding } from './mistakes.ts';

const FindingWire = Type.Object({
  mistake: Type.String(),
  key_id: Type.String(),
  text: Type.String(),
  count: Type.Integer(),
  request_ids: Type.Array(Type.String(), { description: 'The first ten.' }),
  guide: Type.String({ description: 'The page that says what to do instead.' }),
});

const ReportWire = Type.Object({
  requests: Type.Integer({ description: 'Those that were looked at: the newest 10,000.' }),
  findings: Type.Array(FindingWire),
});

export function reportToWire(exchanges: readonly Exchange[]): Static<typeof ReportWire> {
  const findings = examine(exchanges).map(({ keyId, requestIds, ...rest }: Finding) => ({
    ...rest,
    key_id: keyId,
    request_ids: [...requestIds],
  }));
  return { requests: exchanges.length, findings };
}

/** Returns a report for people. `address` is that of the guides. */
export function reportText({ requests, findings }: Static<typeof ReportWire>, address: string): string {
  if (findings.length === 0) return `\nNo mistakes in ${counted(requests, 'request')}.\n`;
  const paragraphs = findings.map(
    ({ text, key_id, request_ids, guide }) =>
      `- ${text}\n  key ${key_id}, requests ${request_ids.join(', ')}\n  ${address}${guide}\n`,
  );
  return `\n${counted(findings.length, 'finding')} in ${counted(requests, 'request')}:\n\n${paragraphs.join('\n')}`;
}

/** The newest exchanges; older ones are forgotten. */
const maxExchanges = 10_000;

const keyed = new Set(
  clientDomains.flatMap(({ operations }) =>
    operations.filter((operation) => idempotencyRuleOf(operation) !== 'ignored').map(({ id }) => id),
  ),
);

/** Notes of a request that is served: its body is released with the response. */
interface Noted {
  readonly startedAt: number;
  fingerprint: string | null;
  body: BodyNotes;
  /** null: the request has no response. */
  response: {
    readonly meta?: { last_page?: number };
    readonly conflict?: { tu_id?: string };
    readonly current_quantity?: number;
  } | null;
}

/** The exchanges of a client listener, the latest last. */
export class ExchangeLog {
  readonly #exchanges: Exchange[] = [];

  /** Returns the exchanges of a brand, or of all; null: all. */
  list(brandId: number | null): Exchange[] {
    return this.#exchanges.filter((exchange) => brandId === null || exchange.brandId === brandId);
  }

  /** Remembers every request of a key to an operation of the app when its response has ended. */
  observe(app: FastifyInstance): void {
    const notes = new WeakMap<FastifyRequest, Noted>();
    app.addHook('onRequest', async (request, reply) => {
      const noted = { startedAt: performance.now(), fingerprint: null, body: noNotes, response: null };
      notes.set(request, noted);
      reply.raw.once('close', () => this.#add(exchangeOf(request, reply, noted)));
    });
    app.addHook('preValidation', async (request) => {
      const body = notesOfBody(request.body);
      Object.assign(notes.get(request) ?? {}, { fingerprint: fingerprintOf(request), body });
    });
    app.addHook('onSend', async (request, reply, payload) => {
      const isList = reply.statusCode === 200 && request.method === 'GET';
      const isRead = isList || reply.statusCode === 409;
      const isJson = typeof payload === 'string' && payload.startsWith('{');
      const response = isRead && isJson ? JSON.parse(payload) : {};
      Object.assign(notes.get(request) ?? {}, { response });
      return payload;
    });
  }

  #add(exchange: Exchange | null): void {
    if (exchange === null) return;
    this.#exchanges.push(exchange);
    if (this.#exchanges.length > maxExchanges) this.#exchanges.shift();
  }
}

/** Returns null if the body is not read: it is a stream, or the request was refused before. */
function fingerprintOf({ method, url, headers, rawBody }: FastifyRequest): string | null {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (hasBody && rawBody === null) return null;
  return createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(rawBody ?? '')
    .digest('base64url');
}

function exchangeOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { startedAt, fingerprint, body, response }: Noted,
): Exchange | null {
  const { caller, method, headers, refusal, logged, id: requestId } = request;
  const operation = request.routeOptions.config.operationId;
  if (!caller || operation === undefined) return null;
  const [path = '', search = ''] = request.url.split('?', 2);
  const status = response === null ? clientGone : reply.statusCode;
  return {
    requestId,
    brandId: caller.brandId,
    keyId: caller.keyId,
    operation,
    method,
    path,
    query: new URLSearchParams(search),
    fingerprint,
    idempotencyKey: String(headers['idempotency-key'] ?? '') || null,
    needsKey: keyed.has(operation),
    isConditional: headers['if-none-match'] !== undefined,
    ...body,
    ignored: headerOf(reply, 'x-ignored'),
    startedAt,
    endedAt: performance.now(),
    status,
    code: refusal?.code ?? null,
    retryAfterMs: Number(headerOf(reply, 'retry-after') ?? 0) * 1_000,
    isReplay: headerOf(reply, 'idempotency-replayed') !== null,
    isDelivered: reply.raw.writableFinished,
    lastPage: response?.meta?.last_page ?? 1,
    ownerId: response?.conflict?.tu_id ?? null,
    currentQuantity: response?.current_quantity ?? null,
    feedId: logged?.['feed_id'] === undefined ? null : String(logged['feed_id']),
  };
}

function headerOf(reply: FastifyReply, name: string): string | null {
  const value = reply.getHeader(name);
  return value === undefined ? null : String(value);
}

/** Values that are looked at in a body, however large it is. */
const maxValues = 10_000;

type BodyNotes = Pick<Exchange, 'sku' | 'besideSku' | 'expectedQuantity' | 'noisyPrice'>;

const noNotes: BodyNotes = { sku: null, besideSku: null, expectedQuantity: null, noisyPrice: null };

/** Returns the SKU of a body, and the first of its prices that has more than four decimal places. */
function notesOfBody(body: unknown): BodyNotes {
  const { sku, ...rest } = (body ?? {}) as { sku?: unknown; expected_quantity?: unknown };
  const { expected_quantity: expected } = rest;
  const isNamed = typeof sku === 'string';
  return {
    sku: isNamed ? sku : null,
    besideSku: isNamed && Object.keys(rest).length > 0 ? JSON.stringify(rest) : null,
    expectedQuantity: typeof expected === 'number' ? expected : null,
    noisyPrice: findNoisyPrice(body),
  };
}

function findNoisyPrice(body: unknown): number | null {
  const waiting: [name: string, value: unknown][] = [['', body]];
  for (let seen = 0; seen < maxValues; seen += 1) {
    const [name, value] = waiting.pop() ?? ['', undefined];
    if (typeof value === 'number' && name.includes('price') && hasNoise(value)) return value;
    if (typeof value === 'object' && value !== null && waiting.length < maxValues)
      for (const entry of Object.entries(value).slice(0, maxValues)) waiting.push(entry);
    if (waiting.length === 0) return null;
  }
  return null;
}

const hasNoise = (value: number) => /\.\d{5,}$/.test(String(value));

export const getReportOperation = (log: ExchangeLog) =>
  operationKit<Services>().readOperation({
    id: 'getReport',
    method: 'GET',
    path: '/sandbox/report',
    tag: 'Sandbox',
    summary: 'Show the mistakes of programs',
    description: 'Examines the requests of all brands, or of one.',
    access: 'administrators',
    query: Type.Object({ brand_id: Type.Optional(Type.Integer({ minimum: 1 })) }),
    responses: { 200: { description: 'The report.', schema: ReportWire } },
    handle: async (_context, { query }) => ({
      status: 200,
      body: reportToWire(log.list(query.brand_id ?? null)),
    }),
  });
