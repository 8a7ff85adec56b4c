import { type Static, Type } from 'typebox';
import { readOwnRefusals } from '../../access/refusals/own-refusals-store.ts';
import { includeQuery, ownRefusalsField } from '../../access/refusals/own-refusals-wire.ts';
import { scopes } from '../../api/access.ts';
import { limitNow, NamedObject, Nullable, Timestamp } from '../../api/field-schemas.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { type AnalyticsContext, readOperation } from '../analytics-context.ts';
import { findSettledUntil } from '../directory-changes/waiting-changes-store.ts';
import { type DatasetName, datasetNames, ofDatasets, shapeOf } from '../store/datasets.ts';
import type { DatasetState, DatasetStates, SinceRevisions } from '../store/revisions-store.ts';

/** The most days that are listed for a dataset [analytics-46]. */
const changedDaysLimit = 1_000;

const ChangesSince = Type.Optional(
  Type.String({
    description: `Datasets, and for each the \`revision\` up to which you have pulled it: returns \`changed\`, the days that have changed since, at most ${changedDaysLimit}.`,
    examples: ['users:57,daily:41'],
  }),
);

const entry = /^([a-z_]+):(\d{1,15})$/;

/** @throws ApiError `validation_failed` [analytics-46] */
function parseChangesSince(text: string | undefined): SinceRevisions {
  if (text === undefined) return {};
  const since: Partial<Record<DatasetName, number>> = {};
  for (const part of text.split(',')) {
    const [, name = '', revision] = entry.exec(part) ?? [];
    if (revision === undefined)
      throw invalidField(
        'changes_since',
        'must be a list of `<dataset>:<revision>`, such as `users:57,daily:41`',
      );
    const dataset = datasetNames.find((known) => known === name);
    if (dataset === undefined)
      throw invalidField(
        'changes_since',
        `must name datasets: ${datasetNames.map((known) => `\`${known}\``).join(', ')}`,
      );
    if (since[dataset] !== undefined) throw invalidField('changes_since', 'must not name a dataset twice');
    since[dataset] = Number(revision);
  }
  return since;
}

const DayOrNull = (description: string) => Nullable(Type.String({ format: 'date' }), { description });

const ChangedDayWire = Type.Object({
  date: Type.String({ format: 'date' }),
  revision: Type.Integer({ minimum: 1, description: 'The revision of the last change of the day.' }),
  cause: Type.String({
    description: `The strongest cause since \`since\`. \`aggregated\`: the rows were replaced. \`exclusion\`: rows of learners were hidden, shown again or erased. \`directory\`: contents or markets of the rows were listed or deleted. \`corrected\`: only \`cumulative\` moved; skip the day if you do not store it. Open list: treat others like \`aggregated\`.`,
  }),
});

const ChangedWire = Type.Object(
  {
    since: Type.Integer({ minimum: 0, description: 'The revision that you sent.' }),
    days: Type.Array(ChangedDayWire, { description: 'Ascending by date.' }),
    complete: Type.Boolean({
      description:
        '`false` if more days have changed than are listed, or the dataset has not reached `since`: pull all days.',
    }),
    as_of: Timestamp({
      description:
        'Changes of the directory, such as opt-outs, are included if their requests were answered before this time; later ones follow within seconds.',
    }),
  },
  { description: 'Present for the datasets of `changes_since`.' },
);

const DatasetStateWire = (path: string) =>
  Type.Object(
    {
      latest_date: DayOrNull('The last aggregated day; null if nothing has been aggregated.'),
      revision: Type.Integer({
        minimum: 0,
        description: 'Greater after each change of a day of the dataset; 0 if nothing has been aggregated.',
      }),
      refreshed_at: Nullable(Timestamp(), { description: 'The time of the last change.' }),
      oldest_date: DayOrNull('The first aggregated day.'),
      changed: Type.Optional(ChangedWire),
    },
    { description: `Served by \`${path}\`.` },
  );

type StateWire = Static<ReturnType<typeof DatasetStateWire>>;

const datasetStateExample: StateWire = {
  latest_date: '2026-03-01',
  revision: 57,
  refreshed_at: '2026-03-02T00:05:12.345Z',
  oldest_date: '2025-01-01',
};

const changedExample: StateWire['changed'] = {
  since: 55,
  days: [
    { date: '2026-02-27', revision: 56, cause: 'exclusion' },
    { date: '2026-03-01', revision: 57, cause: 'aggregated' },
  ],
  complete: true,
  as_of: '2026-03-02T06:00:00.000Z',
};

/** `asOf`: the time up to which the revisions are complete; required if `since` names datasets. */
function datasetStatesToWire(states: DatasetStates, since: SinceRevisions, asOf: Date | null) {
  const toWire = (name: DatasetName): StateWire => {
    const { latestDay, oldestDay, revision, refreshedAt } = states[name];
    return {
      latest_date: latestDay,
      revision,
      refreshed_at: refreshedAt?.toISOString() ?? null,
      oldest_date: oldestDay,
      ...changedToWire(states[name], since[name], asOf),
    };
  };
  return ofDatasets(toWire);
}

function changedToWire(
  { changed }: DatasetState,
  since: number | undefined,
  asOf: Date | null,
): Pick<StateWire, 'changed'> {
  if (changed === null || since === undefined || asOf === null) return {};
  const days = changed.days.map(({ day, revision, cause }) => ({ date: day, revision, cause }));
  return { changed: { since, days, complete: changed.isComplete, as_of: asOf.toISOString() } };
}

export const AnalyticsStatusWire = NamedObject('AnalyticsStatus', {
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
  datasets: Nullable(Type.Object(ofDatasets((name) => DatasetStateWire(shapeOf(name).path))), {
    description: 'null while the analytics store is unavailable.',
  }),
  ...ownRefusalsField,
});

const StatusQuery = Type.Object({ changes_since: ChangesSince, ...includeQuery });

/** Responds even while the analytics store is unavailable [analytics-4] [analytics-6], and shows the limits [platform-93]. */
export const getAnalyticsStatusOperation = readOperation({
  id: 'getAnalyticsStatus',
  method: 'GET',
  path: '/status',
  tag: 'Analytics',
  summary: 'Get the current key and the state of each dataset',
  description:
    'Returns the key with its rate limits, and the days and the revision of each dataset. A day is final if it is on or before `latest_date`. With `changes_since`, lists the days whose rows have changed since earlier revisions, so that only these have to be pulled again. With `include=refusals`, shows why the last requests of the key were refused. Works even while the analytics store is unavailable; `datasets` is then null.',
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
        datasets: ofDatasets((name) => ({
          ...datasetStateExample,
          ...(name === 'users' && { changed: changedExample }),
        })),
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
        ...(await readOwnRefusals(context.database, caller, query.include)),
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
