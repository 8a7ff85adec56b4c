import { Type } from 'typebox';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import type { BrandReach } from '../api/access.ts';
import { Instant, NamedObject, Nullable } from '../api/field-schemas.ts';
import { type Operation, operationKit } from '../api/operation.ts';
import { recordAudit } from '../audit/audit-store.ts';
import { invalidField, notFound } from '../errors/api-error.ts';
import { parseInstant } from '../lib/instant.ts';
import type { AuditedTransaction } from '../postgres/transaction.ts';
import { type Concern, concernKinds } from './concern-store.ts';
import { addMutes, removeMutes } from './mute-store.ts';
import { readConcerns } from './overview-store.ts';

const { writeOperation } = operationKit<AnalyticsContext>();

const example = 'keys_unused.5f0c1b2a3d4e5f60';
const idForm = new RegExp(`^(?:${concernKinds.join('|')})[.][0-9a-f]{16}$`);

const ConcernParams = Type.Object({
  id: Type.String({ description: 'The id of the concern in the overview.', examples: [example] }),
});

const MuteConcernBody = NamedObject('ConcernMute', {
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
    'The overview shows the concern as muted until it changes, which gives it another id, or until a time, however often the same fails for the same brands meanwhile. Muting it again replaces the time. A concern that your own overview does not show is 404.',
  access: 'filtered-by-brand',
  params: ConcernParams,
  body: MuteConcernBody,
  bodyOptional: true,
  bodyExample: { until: '2027-01-01T00:00:00Z' },
  responses: { 204: { description: 'The concern is muted.' } },
  handle: async (tx, { params, body, internalCaller, brandIds }, context) => {
    const { clock } = context;
    const until = typeof body?.until === 'string' ? parseInstant(body.until) : null;
    if (until !== null && until.getTime() <= clock.now())
      throw invalidField('until', 'must be in the future');
    const concern = await shownConcern(tx, context, brandIds, params.id);
    const ids = until === null ? [concern.id] : concern.subjects;
    await removeMutes(tx, idsOf(concern));
    await addMutes(tx, { ids, until, actor: internalCaller.actor });
    await record(tx, 'concern.mute', concern, { until: until?.toISOString() ?? null });
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
  handle: async (tx, { params, brandIds }, context) => {
    const concern = await shownConcern(tx, context, brandIds, params.id);
    if (await removeMutes(tx, idsOf(concern))) await record(tx, 'concern.unmute', concern, {});
    return { status: 204 };
  },
});

/** The ids under which mutes of the concern are stored. */
const idsOf = ({ id, subjects }: Concern): string[] => [id, ...subjects];

/**
 * Returns the concern that the caller's own overview shows: another one is of other brands, or has changed.
 * @throws ApiError `not_found`
 */
async function shownConcern(
  tx: AuditedTransaction,
  { analytics, clock }: AnalyticsContext,
  brandIds: BrandReach,
  id: string,
): Promise<Concern> {
  if (!idForm.test(id)) throw notFound();
  const { concerns } = await readConcerns({ database: tx, analytics, clock }, brandIds);
  const concern = concerns.find((one) => one.id === id);
  if (concern === undefined) throw notFound();
  return concern;
}

/** The brand of the entry is that of the concern; one that concerns several brands has none. */
function record(
  tx: AuditedTransaction,
  action: 'concern.mute' | 'concern.unmute',
  { id, brands }: Concern,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const [brand] = brands;
  const brandId = brands.length === 1 && brand !== undefined ? brand.id : null;
  return recordAudit(tx, { action, brandId, resourceType: 'concern', resourceId: id, details });
}

export const concernOperations: readonly Operation<AnalyticsContext>[] = [
  muteConcernOperation,
  unmuteConcernOperation,
];
