import { operationKit } from '../../../api/operation.ts';
import { KeyParams } from '../../api-keys/api-key-wire.ts';
import { ownedKey } from '../../api-keys/queries/api-key-detail.ts';
import {
  keyLimitsFromWire,
  LimitKeyBody,
  LimitListWire,
  limitListExample,
  limitUseToWire,
} from '../limits-wire.ts';
import { limitKey } from '../own-limits-service.ts';
import type { RateLimitContext } from '../rate-limits.ts';

/** Gives a key its own limits, such as for an import [internal-182]. */
export const limitKeyOperation = operationKit<RateLimitContext>().writeOperation({
  id: 'limitKey',
  method: 'PUT',
  path: '/keys/:key_id/limits',
  tag: 'API keys',
  summary: 'Set the own rate limits of an API key',
  description:
    'Replaces the own limits of the key, also until a time, and returns its limits. They hold from the next request on, in every process; what the current window has counted still counts. The limit of the brand counts as well. A rotation and `replaces_key_id` carry them over to the new key.',
  access: ownedKey,
  params: KeyParams,
  body: LimitKeyBody,
  bodyExample: { catalog_writes: 6_000, until: '2028-01-01T06:00:00Z' },
  responses: {
    200: {
      description: 'The limits of the key.',
      schema: LimitListWire,
      example: { ...limitListExample, data: limitListExample.data.slice(1) },
    },
  },
  handle: async (tx, { params, body }, { clock, rateLimits }) => {
    const now = clock.now();
    const own = keyLimitsFromWire(body, now);
    const brandId = await limitKey(tx, params.key_id, own);
    const owners = [{ keyId: params.key_id, own }];
    return { status: 200, body: limitUseToWire(await rateLimits.listUse({ brandId, owners, now })) };
  },
});
