import { Type } from 'typebox';
import { Instant, Nullable } from '../api/field-schemas.ts';
import { type Operation, writeOperation } from '../api/operation.ts';
import { recordAudit } from '../audit/audit-store.ts';
import { invalidField, notFound } from '../errors/api-error.ts';
import { parseInstant } from '../lib/instant.ts';
import type { AuditedTransaction } from '../postgres/transaction.ts';
import { concernKinds, muteConcern, unmuteConcern } from './concern-store.ts';

const example = 'keys_unused.5f0c1b2a3d4e5f60';
const idForm = new RegExp(`^(?:${concernKinds.join('|')})[.][0-9a-f]{16}$`);

const ConcernParams = Type.Object({
  id: Type.String({ description: 'The id of the concern in the overview.', examples: [example] }),
});

export const MuteConcernBody = Type.Object({
  until: Type.Optional(
    Nullable(Instant(), {
      description: 'The time at which the concern counts again. null or absent: once it changes.',
    }),
  ),
});

/** [internal-205] */
const muteConcernOperation = writeOperation({
  id: 'muteConcern',
  method: 'PUT',
  path: '/concerns/:id/mute',
  tag: 'Overview',
  summary: 'Mute a concern',
  description:
    'The overview shows the concern as muted until it changes, which gives it another id, or until a time. Muting it again replaces the time.',
  access: 'filtered-by-brand',
  params: ConcernParams,
  body: MuteConcernBody,
  bodyOptional: true,
  bodyExample: { until: '2027-01-01T00:00:00Z' },
  responses: { 204: { description: 'The concern is muted.' } },
  handle: async (tx, { params, body, internalCaller }, { clock }) => {
    const id = knownForm(params.id);
    const until = typeof body?.until === 'string' ? parseInstant(body.until) : null;
    if (until !== null && until.getTime() <= clock.now())
      throw invalidField('until', 'must be in the future');
    await muteConcern(tx, { id, until, actor: internalCaller.actor });
    await record(tx, 'concern.mute', id, { until: until?.toISOString() ?? null });
    return { status: 204 };
  },
});

/** [internal-205] */
const unmuteConcernOperation = writeOperation({
  id: 'unmuteConcern',
  method: 'DELETE',
  path: '/concerns/:id/mute',
  tag: 'Overview',
  summary: 'Unmute a concern',
  description: 'The overview counts the concern again. A concern that is not muted is left as it is.',
  access: 'filtered-by-brand',
  params: ConcernParams,
  responses: { 204: { description: 'The concern is not muted.' } },
  handle: async (tx, { params }) => {
    const id = knownForm(params.id);
    if (await unmuteConcern(tx, id)) await record(tx, 'concern.unmute', id, {});
    return { status: 204 };
  },
});

/** @throws ApiError `not_found` for an id that no concern can have */
function knownForm(id: string): string {
  if (!idForm.test(id)) throw notFound();
  return id;
}

function record(
  tx: AuditedTransaction,
  action: 'concern.mute' | 'concern.unmute',
  id: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordAudit(tx, { action, brandId: null, resourceType: 'concern', resourceId: id, details });
}

export const concernOperations: readonly Operation[] = [muteConcernOperation, unmuteConcernOperation];
