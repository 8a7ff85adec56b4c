import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { operationKit } from '../../../server/src/api/operation.ts';
import { ApiError, invalidField } from '../../../server/src/errors/api-error.ts';
import { clientDomains } from '../../../server/src/http/operations.ts';
import type { Services } from '../../../server/src/http/services.ts';
import { systemClock } from '../../../server/src/lib/clock.ts';

export interface FaultRule {
  /** The fault as it was sent. */
  readonly text: string;
  /** null: all. */
  readonly operation: string | null;
  readonly fault: Fault;
  /** From 0 to 1, drawn with the seed; null: every n-th. */
  readonly share: number | null;
  readonly every: number;
}

interface CountedRule extends FaultRule {
  count: number;
}

interface RuleSet {
  readonly seed: number;
  readonly rules: readonly CountedRule[];
}

const maxRuleSets = 1_000;

/** The rules of each brand, and those of all [D281]. */
export class FaultRules {
  readonly #sets = new Map<number | null, RuleSet>();

  /** Replaces the rules of a brand; null: those of all brands. Their counts begin again. */
  replace(brandId: number | null, seed: number, rules: readonly FaultRule[]): void {
    this.#sets.delete(brandId);
    if (rules.length === 0) return;
    if (this.#sets.size >= maxRuleSets) this.#sets.delete([...this.#sets.keys()][0] as number | null);
    this.#sets.set(brandId, { seed, rules: rules.map((rule) => ({ ...rule, count: 0 })) });
  }

  /** Returns the rules of each brand, in the order in which they were set; those of all brands have the brand null. */
  list(): { readonly brandId: number | null; readonly seed: number; readonly rules: readonly FaultRule[] }[] {
    return [...this.#sets].map(([brandId, set]) => ({ brandId, ...set }));
  }

  /** Returns the fault of the next request of an operation; null: none. Rules of the brand come first. */
  next(brandId: number | null, operation: string): Fault | null {
    return (brandId === null ? null : this.#nextOf(brandId, operation)) ?? this.#nextOf(null, operation);
  }

  #nextOf(brandId: number | null, operation: string): Fault | null {
    const { seed = 0, rules = [] } = this.#sets.get(brandId) ?? {};
    let met: Fault | null = null;
    // Every rule counts every request, so that a rule draws the same regardless of those before it.
    for (const [index, rule] of rules.entries()) {
      if (rule.operation !== null && rule.operation !== operation) continue;
      rule.count += 1;
      const { share, every, count } = rule;
      const isMet = share === null ? count % every === 0 : draw(seed, index, count) < share;
      if (isMet) met ??= rule.fault;
    }
    return met;
  }
}

/** Returns a number from 0 to below 1 that depends on its arguments only: the finaliser of MurmurHash3 over them. */
function draw(seed: number, rule: number, count: number): number {
  let bits = seed | 0;
  for (const part of [rule, count]) {
    bits = Math.imul(bits ^ (part + 0x9e3779b9), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    bits ^= bits >>> 16;
  }
  return (bits >>> 0) / 2 ** 32;
}

/** A fault that a request of the client API meets. */
export type Fault =
  | { readonly kind: 'drop' | 'drop-after-commit' | 'truncate' | 'html-502' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: 429 | 500 | 503; readonly retryAfter: number | null };

const plainKinds = ['drop', 'drop-after-commit', 'truncate', 'html-502'] as const;
const statuses = [429, 500, 503] as const;
const longestDelayMs = 60_000;
const longestRetryAfter = 3_600;

const faultForm =
  'must be drop, drop-after-commit, truncate, html-502, delay=<ms up to 60000>, or status=<429, 500 or 503>, also with "; retry-after=<s>"';

/** Reads a fault, such as `status=503; retry-after=2`; null: there is none like it. */
export function parseFault(text: string): Fault | null {
  const plain = plainKinds.find((kind) => kind === text.trim());
  if (plain !== undefined) return { kind: plain };
  const delay = /^\s*delay=(\d{1,5})\s*$/.exec(text);
  if (delay !== null)
    return Number(delay[1]) > longestDelayMs ? null : { kind: 'delay', ms: Number(delay[1]) };
  const [, code, seconds] = /^\s*status=(\d{3})\s*(?:;\s*retry-after=(\d{1,4})\s*)?$/.exec(text) ?? [];
  const status = statuses.find((one) => String(one) === code);
  if (status === undefined || Number(seconds ?? 0) > longestRetryAfter) return null;
  return { kind: 'status', status, retryAfter: seconds === undefined ? null : Number(seconds) };
}

const rule = {
  operation: Type.Optional(
    Type.String({ maxLength: 100, description: 'An operationId of the client API; absent: all.' }),
  ),
  share: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'The share of requests, drawn with the seed.' }),
  ),
  every: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Every n-th request; default: 1.' }),
  ),
  fault: Type.String({ maxLength: 100, description: 'As in the header `Brandport-Fault`.' }),
};
const brand = Type.Optional(Type.Integer({ minimum: 1, description: 'Absent: the rules of all brands.' }));
const seed = Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Default: 0.' }));
const rules = Type.Array(Type.Object(rule), { maxItems: 100 });

const ReplaceFaultsBody = Type.Object({ brand_id: brand, seed, rules });
const FaultsWire = Type.Object({ brand_id: brand, seed, rules });

const operations = new Set(clientDomains.flatMap((domain) => domain.operations.map(({ id }) => id)));

/** @throws ApiError `validation_failed` */
export function faultRulesFromWire(body: Static<typeof ReplaceFaultsBody>): FaultRule[] {
  return body.rules.map((given, index) => {
    const field = (name: string) => `rules.${index}.${name}`;
    const unknown = Object.keys(given).find((name) => !(name in rule));
    if (unknown !== undefined)
      throw invalidField(field(unknown), 'is not a field of a rule; `brand_id` stands next to `rules`');
    const { operation = null, share = null, every, fault: text } = given;
    if (operation !== null && !operations.has(operation))
      throw invalidField(field('operation'), 'must be the operationId of an operation of the client API');
    if (share !== null && every !== undefined)
      throw invalidField(field('every'), 'must not be sent together with share');
    const fault = parseFault(text);
    if (fault === null) throw invalidField(field('fault'), faultForm);
    return { operation, share, every: every ?? 1, fault, text };
  });
}

export const replaceFaultsOperation = (rules: FaultRules) =>
  operationKit<Services>().unmanagedOperation({
    id: 'replaceFaults',
    method: 'PUT',
    path: '/sandbox/faults',
    tag: 'Sandbox',
    summary: 'Replace the rules of faults',
    description:
      'Replaces the rules of a brand, or those of all brands, and returns them. The same seed gives the same requests the same faults.',
    access: 'administrators',
    body: ReplaceFaultsBody,
    bodyExample: { seed: 7, rules: [{ operation: 'createProduct', share: 0.2, fault: 'drop-after-commit' }] },
    responses: { 200: { description: 'The rules.', schema: FaultsWire } },
    handle: async (_context, { body }) => {
      const set = { brandId: body.brand_id ?? null, seed: body.seed ?? 0, rules: faultRulesFromWire(body) };
      rules.replace(set.brandId, set.seed, set.rules);
      return { status: 200, body: faultsToWire(set) };
    },
  });

export const listFaultsOperation = (rules: FaultRules) =>
  operationKit<Services>().readOperation({
    id: 'listFaults',
    method: 'GET',
    path: '/sandbox/faults',
    tag: 'Sandbox',
    summary: 'List the rules of faults',
    description: 'Lists the rules that are set, those of each brand and those of all brands.',
    access: 'administrators',
    responses: { 200: { description: 'The rules.', schema: Type.Object({ data: Type.Array(FaultsWire) }) } },
    handle: async () => ({ status: 200, body: { data: rules.list().map(faultsToWire) } }),
  });

function faultsToWire({ brandId, seed, rules: set }: ReturnType<FaultRules['list']>[number]) {
  return {
    ...(brandId !== null && { brand_id: brandId }),
    seed,
    rules: set.map(({ operation, share, every, text }) => ({
      ...(operation !== null && { operation }),
      ...(share === null ? { every } : { share }),
      fault: text,
    })),
  };
}

const codes = { 429: 'rate_limited', 500: 'server_error', 503: 'service_unavailable' } as const;

/** The page of a proxy whose server does not respond. */
const badGateway =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>502 Bad Gateway</body>\r\n</html>\r\n';

/**
 * Gives requests of the client API the fault that their header or a rule names. A request is admitted first: what the key
 * may not do, and what exceeds a limit, is refused as ever.
 */
export function injectFaults(app: FastifyInstance, rules: FaultRules): void {
  app.addHook('preValidation', async (request, reply) => {
    const { operationId } = request.routeOptions.config;
    if (operationId === undefined) return;
    const fault = namedFault(request) ?? rules.next(request.caller?.brandId ?? null, operationId);
    if (fault === null) return;
    request.log.info({ fault: fault.kind, operation: operationId }, 'fault injected');
    await inject(fault, request, reply);
  });
}

/** @throws ApiError `validation_failed` */
function namedFault({ headers }: FastifyRequest): Fault | null {
  const text = headers['brandport-fault'];
  if (text === undefined) return null;
  const fault = parseFault(String(text));
  if (fault === null) throw invalidField('Brandport-Fault', faultForm);
  return fault;
}

async function inject(fault: Fault, { raw }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  switch (fault.kind) {
    case 'delay':
      return await sleep(fault.ms);
    case 'status':
      throw new ApiError(codes[fault.status], { headers: headersOf(fault) });
    case 'html-502':
      return await reply.code(502).type('text/html').send(badGateway);
    case 'drop':
      reply.hijack();
      return raw.socket.destroy();
    case 'drop-after-commit':
      return loseResponse(reply.raw);
    case 'truncate':
      return cutResponse(reply.raw);
  }
}

/** Returns the headers of a refusal. A 429 ends its window when it may be retried, as a real one does. */
function headersOf({ status, retryAfter }: Fault & { readonly kind: 'status' }): Record<string, string> {
  const again = retryAfter === null ? {} : { 'retry-after': String(retryAfter) };
  if (status !== 429) return again;
  const reset = Math.ceil(systemClock.now() / 1_000) + (retryAfter ?? 0);
  return { ...again, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
}

/** Closes the connection when the response would be sent: its request is done, and the client does not learn of it. */
function loseResponse(response: ServerResponse): void {
  const lose = () => {
    response.socket?.destroy();
    return response;
  };
  Object.assign(response, { writeHead: lose, end: lose, write: () => lose().writable });
}

/** Sends the head and the first half of the body, or of its first part, and closes the connection. */
function cutResponse(response: ServerResponse): void {
  const write = response.write.bind(response);
  let isCut = false;
  const cut = (part: unknown) => {
    if (isCut) return;
    isCut = true;
    const bytes = part instanceof Uint8Array ? part : Buffer.from(typeof part === 'string' ? part : '');
    const close = () => response.socket?.destroy();
    if (bytes.length === 0) response.flushHeaders();
    write(bytes.subarray(0, bytes.length >> 1), close);
  };
  const end = (part?: unknown) => {
    cut(part);
    return response;
  };
  const writePart = (part: unknown) => {
    cut(part);
    return false;
  };
  Object.assign(response, { write: writePart, end });
}
