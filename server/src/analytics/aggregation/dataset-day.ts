import { type Static, Type } from 'typebox';
import { NamedObject, Nullable, Timestamp } from '../../api/field-schemas.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { type AnalyticsContext, readOperation } from '../analytics-context.ts';
import { servedDatasets } from '../datasets/dataset-operations.ts';
import { type Day, yesterdayOf } from '../day.ts';
import { type DatasetName, datasetNames } from '../store/datasets.ts';
import { type DayRevision, keptRevisions } from '../store/day-history-store.ts';

const mostFigures = 50;

const DatasetDayParams = Type.Object({
  ...BrandParams.properties,
  dataset: Type.Unsafe<DatasetName>({
    type: 'string',
    enum: [...datasetNames],
    description: 'The name of the dataset, as in `/status`.',
    examples: ['daily'],
  }),
  day: Type.String({ format: 'date', description: 'UTC day.', examples: ['2026-03-01'] }),
});

const DayRevisionWire = Type.Object({
  revision: Type.Integer({ minimum: 0 }),
  at: Timestamp(),
  cause: Nullable(Type.String(), {
    description:
      '`nightly`: the day was due. `late_events`: events came after its aggregation. `request`: an aggregation was asked for. `opt_out`: learners were hidden, shown again or erased. `directory`: contents or markets were listed or deleted. `repair`: by the doctor. `restore`: from a backup. Running totals of later days change for the cause of the earlier one. null: by a version that recorded none.',
  }),
  events: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'The events of the day that the aggregation included. null: not recorded.',
  }),
  rows: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'The rows of the dataset. null: not recorded.',
  }),
});

const DatasetDayDetailWire = NamedObject('DatasetDayDetail', {
  date: Type.String({ format: 'date' }),
  dataset: Type.String({ enum: [...datasetNames] }),
  figures: Type.Array(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }), {
    description: `The first ${mostFigures} rows of the day, as the client API serves them. Empty for a day that was never aggregated.`,
  }),
  has_more: Type.Boolean({ description: 'True if the day has further rows.' }),
  revisions: Type.Array(DayRevisionWire, {
    description: `The last ${keptRevisions} revisions of the day, the newest first. Those of earlier versions are not recorded, but for the last one.`,
  }),
});

const datasetDayDetailExample: Static<typeof DatasetDayDetailWire> = {
  date: '2026-03-01',
  dataset: 'daily',
  figures: [
    {
      date: '2026-03-01',
      market: null,
      active_users: 27,
      totals: { views: 64, completions: 31, successes: 18, xp_earned: 940, time_spent_seconds: 18_600 },
    },
  ],
  has_more: false,
  revisions: [
    { revision: 57, at: '2026-03-02T14:02:11.020Z', cause: 'late_events', events: 1_038, rows: 3 },
    { revision: 55, at: '2026-03-02T00:05:09.412Z', cause: 'nightly', events: 500, rows: 3 },
  ],
};

/** Says what a day has, and why it changed [internal-213]. */
export const getDatasetDayOperation = readOperation({
  id: 'getDatasetDay',
  method: 'GET',
  path: '/brands/:id/datasets/:dataset/days/:day',
  tag: 'Analytics',
  summary: 'Get a day of a dataset',
  description:
    'Returns the figures of a day as they are served, and its last revisions with their causes. The difference of `events` between two revisions are events that came in between.',
  access: 'one-brand',
  params: DatasetDayParams,
  responses: {
    200: { description: 'The day.', schema: DatasetDayDetailWire, example: datasetDayDetailExample },
  },
  errors: ['analytics_unavailable'],
  handle: async (context, request) => {
    const { dataset, day } = request.params;
    const { id: brandId } = await getBrand(context.database, brandIdFromPath(request.params.id));
    const [{ data, meta }, revisions] = await Promise.all([
      readServed(context, brandId, dataset, day),
      context.analytics.listDayRevisions(brandId, dataset, day),
    ]);
    const hasMore = (meta.next_cursor ?? null) !== null || (meta.total ?? 0) > data.length;
    const body = {
      ...{ date: day, dataset, figures: [...data], has_more: hasMore },
      revisions: revisions.map(revisionToWire),
    };
    return { status: 200, body };
  },
});

interface ServedPage {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta: { readonly next_cursor?: string | null; readonly total?: number };
}

/** Calls the operation of the client API as a key of the brand does. A day that is not over yet has no rows. */
async function readServed(
  context: AnalyticsContext,
  brandId: number,
  dataset: DatasetName,
  day: Day,
): Promise<ServedPage> {
  if (day > yesterdayOf(context.clock.now())) return { data: [], meta: {} };
  const query = { from: day, to: day, per_page: mostFigures };
  const reply = await servedDatasets[dataset].operation.handle(context, {
    params: {},
    query,
    caller: { brandId },
    known: null,
  });
  return (reply as { readonly body: unknown }).body as ServedPage;
}

function revisionToWire({ at, ...revision }: DayRevision): Static<typeof DayRevisionWire> {
  return { ...revision, at: new Date(at).toISOString() };
}
