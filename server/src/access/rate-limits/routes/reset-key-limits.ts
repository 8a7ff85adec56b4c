import { writeOperation } from '../../../api/operation.ts';
import { KeyParams } from '../../api-keys/api-key-wire.ts';
import { ownedKey } from '../../api-keys/queries/api-key-detail.ts';
import { limitKey } from '../own-limits-service.ts';

/** Gives a key the configured limits again [internal-182]. */
export const resetKeyLimitsOperation = writeOperation({
  id: 'resetKeyLimits',
  method: 'DELETE',
  path: '/keys/:key_id/limits',
  tag: 'API keys',
  summary: 'Remove the own rate limits of an API key',
  description:
    'The configured limits hold again from the next request on. Removing them twice changes nothing.',
  access: ownedKey,
  params: KeyParams,
  responses: { 204: { description: 'The configured limits hold.' } },
  handle: async (tx, { params }) => {
    await limitKey(tx, params.key_id, null);
    return { status: 204 };
  },
});
