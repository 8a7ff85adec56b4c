import { Type } from 'typebox';
import { limitNow, Nullable, Timestamp } from '../../../api/field-schemas.ts';
import { scopes } from '../../../api/scopes.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { AnalyticsContext } from '../../analytics-context.ts';
import { readOperation } from '../../analytics-operation.ts';
import { findSettledUntil } from '../../revisions/directory-change-store.ts';
import type { SinceRevisions } from '../../store/revisions-store.ts';
import { ChangesSince, changedDaysLimit, parseChangesSince } from '../changes-since.ts';
import {
  changedExample,
  DatasetStateWire,
  datasetStateExample,
  datasetStatesToWire,
} from '../dataset-state-wire.ts';

export const AnalyticsStatusWire = Type.Object({
  brand_id: Type.Integer(),
  key_id: Type.String({ description: 'The public id of the key; not a secret.' }),
  name: Nullable(Type.String()),
  scopes: Type.Array(Type.String({ enum: [...scopes] })),
  expires_at: Nullable(Timestamp()),
  rate_limits: Type.Object(
    {
      key_per_minute: limitNow('requests of this key to analytics'),
      brand_per_minute: limitNow('all requests to analytics with keys of this brand'),
    },
    { description: 'The limits in force for this key now.' },
  ),
  datasets: Nullable(
    Type.Object({
      daily: DatasetStateWire('/metrics/daily'),
      contents: DatasetStateWire('/metrics/contents'),
      users: DatasetStateWire('/users/daily'),
      content_engagement: DatasetStateWire('/users/contents'),
    }),
    { description: 'null while the analytics store is unavailable.' },
  ),
});

const StatusQuery = Type.Object({ changes_since: ChangesSince });

/** Responds even while the analytics store is unavailable [analytics-4] [analytics-6], and shows the limits [platform-93]. */
export const getAnalyticsStatusOperation = readOperation({
  id: 'getAnalyticsStatus',
  method: 'GET',
  path: '/status',
  tag: 'Analytics',
  summary: 'Get the current key and the state of each dataset',
  description:
    'Returns the key with its rate limits, and the days and the revision of each dataset. A day is final if it is on or before `latest_date`. With `changes_since`, lists the days whose rows have changed since earlier revisions, so that only these have to be pulled again. Works even while the analytics store is unavailable; `datasets` is then null.',
  access: [],
  query: StatusQuery,
  responses: {
    200: {
      description: 'The key and the datasets.',
      schema: AnalyticsStatusWire,
      example: {
        brand_id: 1,
        key_id: 'tuk_0123456789abcdef01234567',
        name: 'BI',
        scopes: ['analytics.metrics:read', 'analytics.users:read'],
        expires_at: null,
        rate_limits: { key_per_minute: 120, brand_per_minute: 240 },
        datasets: {
          daily: datasetStateExample,
          contents: datasetStateExample,
          users: { ...datasetStateExample, changed: changedExample },
          content_engagement: datasetStateExample,
        },
      },
    },
  },
  handle: async (context, { caller, query }) => {
    const since = parseChangesSince(query.changes_since);
    const datasets = await readDatasets(context, caller.brandId, since);
    return {
      status: 200,
      body: {
        brand_id: caller.brandId,
        key_id: caller.keyId,
        name: caller.keyName,
        scopes: scopes.filter((scope) => caller.scopes.has(scope)),
        expires_at: caller.expiresAt?.toISOString() ?? null,
        rate_limits: {
          key_per_minute: caller.limits?.analytics_key ?? 0,
          brand_per_minute: caller.limits?.analytics_brand ?? 0,
        },
        datasets,
      },
    };
  },
});

/** null while the store is unavailable. */
async function readDatasets(
  { database, analytics }: AnalyticsContext,
  brandId: number,
  since: SinceRevisions,
) {
  // Before the store is read: the revisions may be complete up to a later time.
  const asOf = Object.keys(since).length === 0 ? null : await findSettledUntil(database, brandId);
  try {
    return datasetStatesToWire(await analytics.readDatasets(brandId, since, changedDaysLimit), since, asOf);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'analytics_unavailable') return null;
    throw error;
  }
}
