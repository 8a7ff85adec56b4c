import { exampleIds } from '../../api/example-ids.ts';
import { type Operation, operationKit, type ServiceContext } from '../../api/operation.ts';
import { findLeaks, type LeakContext } from './leak-service.ts';
import { FindLeaksBody, LeakListWire, leakListExample, leakToWire } from './leak-wire.ts';

const { readOperation } = operationKit<ServiceContext & LeakContext>();

/** Finds leaked secrets [internal-103]. Declared as a "read" so that a search without `revoke` opens no transaction. */
const findLeaksOperation = readOperation({
  id: 'findLeaks',
  method: 'POST',
  path: '/leaks',
  tag: 'API keys',
  summary: 'Find leaked keys and tokens in text',
  description: `Names every API key, feed token and administrator token in the text, and the configured admin token, in order of their first place;
says if the text contains the real secret, and revokes it if you send \`revoke\`. The text is neither logged nor stored.

A key or token without its secret is found by its id: it cannot be misused, so it is never revoked here. The token of an administrator
is revoked by deleting that administrator, which ends its sessions; only administrators may do it, others find it. Revoking twice changes
nothing, so the request can be repeated.`,
  access: 'brands',
  confirmsSecrets: true,
  body: FindLeaksBody,
  bodyExample: { text: `curl: (22) 401 for key ${exampleIds.key}` },
  responses: {
    200: { description: 'The keys and tokens in the text.', schema: LeakListWire, example: leakListExample },
  },
  handle: async (context, { body, initiator, brandIds, internalCaller }) => {
    const { role } = internalCaller;
    const search = { text: body.text, revokes: body.revoke ?? false, brandIds, role, initiator };
    const leaks = await findLeaks(context, search);
    return { status: 200, body: { data: leaks.map(leakToWire) } };
  },
});

export const leakOperations: readonly Operation<LeakContext & ServiceContext>[] = [findLeaksOperation];
