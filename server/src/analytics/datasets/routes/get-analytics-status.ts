import { Type } from 'typebox';
import { Nullable, Timestamp } from '../../../api/field-schemas.ts';
import { scopes } from '../../../api/scopes.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { AnalyticsContext } from '../../analytics-context.ts';
import { readOperation } from '../../analytics-operation.ts';
import type { LatestDays } from '../../store/aggregation-types.ts';

const Dataset = (path: string) =>
  Type.Object(
    {
      latest_date: Nullable(Type.String({ format: 'date' }), {
        description: 'The last aggregated day; null if nothing has been aggregated.',
      }),
    },
    { description: `Served by \`${path}\`.` },
  );

export const AnalyticsStatusWire = Type.Object({
  brand_id: Type.Integer(),
  key_id: Type.String({ description: 'The public id of the key; not a secret.' }),
  name: Nullable(Type.String()),
  scopes: Type.Array(Type.String({ enum: [...scopes] })),
  expires_at: Nullable(Timestamp()),
  datasets: Nullable(
    Type.Object({
      daily: Dataset('/metrics/daily'),
      contents: Dataset('/metrics/contents'),
      users: Dataset('/users/daily'),
      content_engagement: Dataset('/users/contents'),
    }),
    { description: 'null while the analytics store is unavailable.' },
  ),
});

/** Responds even while the analytics store is unavailable [analytics-4] [analytics-6]. */
export const getAnalyticsStatusOperation = readOperation({
  id: 'getAnalyticsStatus',
  method: 'GET',
  path: '/status',
  tag: 'Analytics',
  summary: 'Get the current key and the latest day of each dataset',
  description:
    'Returns the key and the last aggregated day of each dataset. A day is final if it is on or before `latest_date`. Works even while the analytics store is unavailable; `datasets` is then null.',
  access: [],
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
        datasets: {
          daily: { latest_date: '2026-03-01' },
          contents: { latest_date: '2026-03-01' },
          users: { latest_date: '2026-03-01' },
          content_engagement: { latest_date: '2026-03-01' },
        },
      },
    },
  },
  handle: async ({ analytics }, { caller }) => {
    const latest = await findLatestDays(analytics, caller.brandId);
    return {
      status: 200,
      body: {
        brand_id: caller.brandId,
        key_id: caller.keyId,
        name: caller.keyName,
        scopes: scopes.filter((scope) => caller.scopes.has(scope)),
        expires_at: caller.expiresAt?.toISOString() ?? null,
        datasets: latest && {
          daily: { latest_date: latest.daily },
          contents: { latest_date: latest.contents },
          users: { latest_date: latest.users },
          content_engagement: { latest_date: latest.content_engagement },
        },
      },
    };
  },
});

/** null while the store is unavailable. */
async function findLatestDays(
  analytics: AnalyticsContext['analytics'],
  brandId: number,
): Promise<LatestDays | null> {
  try {
    return await analytics.findLatestDays(brandId);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'analytics_unavailable') return null;
    throw error;
  }
}
