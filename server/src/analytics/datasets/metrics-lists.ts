import { type Static, Type } from 'typebox';
import { ExactFilter, NamedObject, Nullable } from '../../api/field-schemas.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../api/pagination.ts';
import { invalidField, notFound } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readOperation } from '../analytics-context.ts';
import { yesterdayOf } from '../day.ts';
import { findDirectoryVersion, type ListedContent, listMarketIds } from '../directory-reads-store.ts';
import type { ContentRow, DailyRow, TypeFigures } from '../store/dataset-rows.ts';
import { shapeOf } from '../store/datasets.ts';
import { keysetOperation } from './dataset-lists.ts';
import {
  alwaysNull,
  ContentTypeWire,
  Count,
  CountsWire,
  contentFilter,
  contentReference,
  countsToWire,
  DayWire,
  Rate,
  Seconds,
  typeFilter,
  windowQuery,
} from './dataset-schemas.ts';
import { readPageVersion, versionedPage, windowHeaders } from './page-versions.ts';
import { meanOf, meanOrNull, percentage } from './rounding.ts';
import { resolveWindow, servedPart, type WindowRules } from './walk.ts';

const typeFigures = {
  ...CountsWire,
  time_spent_seconds: Seconds(),
  watch_rate: Rate(),
  completion_rate: Rate(),
  success_rate: Rate(),
};
const TypeFiguresWire = Type.Object({ ...typeFigures, quiz_average_score: Rate() });

/** One row per day, or per market and day [analytics-12]. */
export const DailyRowWire = NamedObject('DailyMetricsRow', {
  date: DayWire,
  market: Nullable(Type.Object({ tu_id: Type.String() }), { description: 'null on brand-level rows.' }),
  live_content: Type.Object(
    { episodes: Count(), programs: Count(), quests: Count(), products: Count() },
    { description: 'Counts for the brand at the time of the aggregation.' },
  ),
  active_users: Count(),
  totals: Type.Object({ ...CountsWire, xp_earned: Count(), time_spent_seconds: Seconds() }),
  episodes: TypeFiguresWire,
  programs: TypeFiguresWire,
  quests: Type.Object({
    ...typeFigures,
    quiz_average_score: Nullable(Type.Number({ minimum: 0, maximum: 100 }), {
      description: 'null if there was no quiz.',
    }),
  }),
  overall_completion_rate: Nullable(Type.Number({ minimum: 0, maximum: 100 }), {
    description: 'null if there was no view.',
  }),
  cumulative: Type.Object(
    { ...CountsWire, xp_earned: Count() },
    { description: 'Running totals up to this day, for the brand or the market.' },
  ),
});

/** @param marketTuId null on brand-level rows */
function dailyRowToWire(row: DailyRow, marketTuId: string | null): Static<typeof DailyRowWire> {
  const { liveContent, totals, types, cumulative } = row;
  return {
    date: row.day,
    market: marketTuId === null ? null : { tu_id: marketTuId },
    live_content: liveContent,
    active_users: row.activeLearners,
    totals: {
      ...countsToWire(totals),
      xp_earned: totals.xpEarned,
      time_spent_seconds: totals.timeSpentSeconds,
    },
    episodes: { ...typeToWire(types.episode), quiz_average_score: meanOf(types.episode.score) },
    programs: { ...typeToWire(types.program), quiz_average_score: meanOf(types.program.score) },
    quests: { ...typeToWire(types.quest), quiz_average_score: meanOrNull(types.quest.score) },
    overall_completion_rate: totals.views === 0 ? null : percentage(totals.completions, totals.views),
    cumulative: { ...countsToWire(cumulative), xp_earned: cumulative.xpEarned },
  };
}

function typeToWire(figures: TypeFigures) {
  return {
    ...countsToWire(figures),
    time_spent_seconds: figures.timeSpentSeconds,
    watch_rate: meanOf(figures.progress),
    completion_rate: percentage(figures.completions, figures.views),
    success_rate: percentage(figures.successes, figures.completions),
  };
}

const noFigures = {
  views: 0,
  completions: 0,
  successes: 0,
  time_spent_seconds: 0,
  watch_rate: 0,
  completion_rate: 0,
  success_rate: 0,
};

const dailyRowExample: Static<typeof DailyRowWire> = {
  date: '2026-03-01',
  market: null,
  live_content: { episodes: 42, programs: 6, quests: 3, products: 118 },
  active_users: 27,
  totals: { views: 64, completions: 31, successes: 18, xp_earned: 940, time_spent_seconds: 18_600 },
  episodes: {
    views: 52,
    completions: 28,
    successes: 17,
    time_spent_seconds: 15_120,
    watch_rate: 71.42,
    completion_rate: 53.85,
    success_rate: 60.71,
    quiz_average_score: 78.5,
  },
  programs: {
    ...noFigures,
    views: 12,
    completions: 3,
    successes: 1,
    time_spent_seconds: 3_480,
    completion_rate: 25,
    success_rate: 33.33,
    quiz_average_score: 0,
  },
  quests: { ...noFigures, quiz_average_score: null },
  overall_completion_rate: 48.44,
  cumulative: { views: 5_120, completions: 2_048, successes: 1_003, xp_earned: 81_440 },
};

const windowRules: WindowRules = { defaultDays: 30, capDays: shapeOf('daily').capDays };

const DailyQuery = Type.Object({
  ...windowQuery(windowRules),
  market: ExactFilter({
    description:
      '`tu_id` of a market: returns its rows instead of the brand’s. 404 if the brand has no such market.',
    examples: ['de-north'],
  }),
  group_by: Type.Optional(
    Type.String({
      enum: ['market'],
      description:
        'Returns one row per market and day instead of the brand’s rows. Cannot be combined with `market`.',
      examples: ['market'],
    }),
  ),
  ...pageQuery,
});

/** Serves one of three granularities [analytics-11]. */
export const listDailyMetricsOperation = readOperation({
  id: 'listDailyMetrics',
  method: 'GET',
  path: shapeOf('daily').path,
  tag: 'Analytics',
  summary: 'List brand totals by day',
  description:
    'One row per aggregated day of the window, including days without activity, by day ascending. With `group_by=market`, one row per day and market of the brand.',
  access: ['analytics.metrics:read'],
  query: DailyQuery,
  responses: {
    200: {
      description: 'One page of days.',
      headers: windowHeaders,
      schema: listOf(DailyRowWire, 'DailyMetricsPage'),
      example: exampleListOf(dailyRowExample),
    },
  },
  errors: ['not_found', 'date_range_too_large', 'analytics_unavailable'],
  handle: async (context, { caller, query }) => {
    const { brandId } = caller;
    const { database, analytics, clock } = context;
    const { range, isByMarket } = requestOf(query, clock);
    // Read before the markets.
    const directory = isByMarket ? await findDirectoryVersion(database, brandId) : null;
    const tuIds = isByMarket ? await listMarkets(database, brandId, query.market) : new Map<number, string>();

    const page = pageOf(query);
    const of = isByMarket ? { marketIds: [...tuIds.keys()] } : 'brand';
    const { rows, total, window } = await analytics.listDaily(brandId, { range, of }, page);
    const data = rows.map((row) =>
      dailyRowToWire(row, row.marketId === null ? null : (tuIds.get(row.marketId) ?? null)),
    );
    const { headers, version } = versionedPage(
      { range, window, directory },
      { next_cursor: null },
      clock.now(),
    );
    return { status: 200, body: { data, meta: pageMeta(page, total) }, headers, version };
  },
  currentVersion: async (context, { caller, query }) => {
    const { brandId } = caller;
    const { range, isByMarket } = requestOf(query, context.clock);
    if (isByMarket) await listMarkets(context.database, brandId, query.market);
    return readPageVersion(context, brandId, { dataset: 'daily', range, showsDirectory: isByMarket });
  },
});

/** @throws ApiError `validation_failed`, `date_range_too_large` */
function requestOf(query: Static<typeof DailyQuery>, clock: Clock) {
  const { market, group_by: groupBy } = query;
  if (market !== undefined && groupBy !== undefined)
    throw invalidField('market', 'must not be combined with `group_by`');
  const yesterday = yesterdayOf(clock.now());
  const range = servedPart(resolveWindow(query, windowRules, yesterday), yesterday);
  return { range, isByMarket: groupBy === 'market' || market !== undefined };
}

/** @throws ApiError `not_found` if the brand has no such market */
async function listMarkets(database: Queryable, brandId: number, market: string | undefined) {
  const tuIds = await listMarketIds(database, brandId, market);
  if (market !== undefined && tuIds.size === 0) throw notFound();
  return tuIds;
}

/** One row per content and day [analytics-33]. */
export const ContentRowWire = NamedObject('ContentMetricsRow', {
  date: DayWire,
  content: contentReference({
    tu_id: Type.String(),
    type: ContentTypeWire,
    name: Nullable(Type.String(), {
      description: 'A display name that may change; join on `tu_id` and `type`.',
    }),
  }),
  market: alwaysNull(),
  pos: alwaysNull(),
  metrics: Type.Object({
    views: Count(),
    unique_views: Count(),
    completions: Count(),
    successes: Count(),
    active_users: Count(),
    total_users: Count(),
    engagement_rate: Rate(),
    xp_earned: Count(),
    time_spent_seconds: Seconds(),
    questions_count: Count(),
    quiz_average_score: Rate(),
  }),
  cumulative: Type.Object({
    ...CountsWire,
    watch_rate: Rate(),
    completion_rate: Rate(),
    success_rate: Rate(),
    quiz_average_score: Rate(),
  }),
});

/** @param content undefined for an orphaned reference */
function contentRowToWire(
  row: ContentRow,
  content: ListedContent | undefined,
): Static<typeof ContentRowWire> {
  const { cumulative } = row;
  return {
    date: row.day,
    content: content === undefined ? null : { tu_id: content.tuId, type: content.type, name: content.name },
    market: null,
    pos: null,
    metrics: {
      views: row.views,
      unique_views: row.uniqueViews,
      completions: row.completions,
      successes: row.successes,
      active_users: row.activeLearners,
      total_users: row.totalLearners,
      engagement_rate: percentage(row.activeLearners, row.totalLearners),
      xp_earned: row.xpEarned,
      time_spent_seconds: row.timeSpentSeconds,
      questions_count: row.questions,
      quiz_average_score: meanOf(row.score),
    },
    cumulative: {
      ...countsToWire(cumulative),
      watch_rate: meanOf(cumulative.progress),
      completion_rate: percentage(cumulative.completions, cumulative.views),
      success_rate: percentage(cumulative.successes, cumulative.completions),
      quiz_average_score: meanOf(cumulative.score),
    },
  };
}

const contentRowExample: Static<typeof ContentRowWire> = {
  date: '2026-03-01',
  content: { tu_id: 'ep-12', type: 'episode', name: 'Fitting a mountain boot' },
  market: null,
  pos: null,
  metrics: {
    views: 14,
    unique_views: 11,
    completions: 9,
    successes: 6,
    active_users: 12,
    total_users: 240,
    engagement_rate: 5,
    xp_earned: 180,
    time_spent_seconds: 4_210,
    questions_count: 45,
    quiz_average_score: 81.25,
  },
  cumulative: {
    views: 612,
    completions: 401,
    successes: 260,
    watch_rate: 74.9,
    completion_rate: 65.52,
    success_rate: 64.84,
    quiz_average_score: 79.33,
  },
};

/** Includes rows of contents that are not listed [analytics-14] [analytics-19]. */
export const listContentMetricsOperation = keysetOperation({
  id: 'listContentMetrics',
  summary: 'List content metrics by day',
  description:
    'One row per content and day with activity, ordered by content, then day (ascending). Follow `cursor` until `meta.next_cursor` is null. Quests are not included.',
  access: ['analytics.metrics:read'],
  dataset: 'contents',
  defaultDays: 30,
  filters: { type: typeFilter, content: contentFilter },
  item: ContentRowWire,
  page: 'ContentMetricsPage',
  example: contentRowExample,
  show: (row, { contents }) => contentRowToWire(row, contents.get(row.contentRefId)),
});
