import { operationKit } from '../../../../../server/src/api/operation.ts';
import type { Services } from '../../../../../server/src/http/services.ts';
import type { FaultRules } from '../fault-rules.ts';
import { FaultsWire, faultRulesFromWire, ReplaceFaultsBody } from '../fault-wire.ts';

export const replaceFaultsOperation = (rules: FaultRules) =>
  operationKit<Services>().readOperation({
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
      rules.replace(body.brand_id ?? null, body.seed ?? 0, faultRulesFromWire(body));
      return { status: 200, body };
    },
  });
