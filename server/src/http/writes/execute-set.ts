import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceContext, SetOperation } from '../../api/operation.ts';
import type { Caller } from '../../api/scopes.ts';
import { clientGone } from '../client-gone.ts';
import { requestOf } from '../execute-operation.ts';
import { keyedRequestOf, sendOutcome } from '../execute-write.ts';
import type { Metrics } from '../metrics.ts';
import type { Writer } from './writer.ts';

export async function executeSet<Context extends ServiceContext>(
  operation: SetOperation<Context>,
  { metrics, writer }: { readonly metrics: Metrics; readonly writer: Writer },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = request.caller as Caller;
  return sendOutcome(
    reply,
    metrics,
    writer.run({
      operation: operation as SetOperation<never>,
      request: requestOf(request),
      brandId: caller.brandId,
      keyed: keyedRequestOf(operation, request),
      gone: () => clientGone(reply),
    }),
  );
}
