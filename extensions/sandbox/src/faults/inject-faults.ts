import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalidField } from '../../../../server/src/errors/api-error.ts';
import { systemClock } from '../../../../server/src/lib/clock.ts';
import { type Fault, type FaultRules, faultForm, parseFault } from './fault-rules.ts';

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
