import { type Day, dayOfNumber } from '../../../../server/src/analytics/day.ts';
import { listAggregatedDaysAmong } from '../../../../server/src/analytics/store/days-store.ts';
import type {
  AnalyticsEngine,
  DirectoryKind,
  LearnerActivity,
} from '../../../../server/src/analytics/store/engine.ts';
import type { Queryable } from '../../../../server/src/postgres/database.ts';
import type { ClickHouse } from './clickhouse.ts';
import { committedBatches } from './coordination/batch-store.ts';
import { listHiddenLearners } from './coordination/hidden-learner-store.ts';
import { listLayers } from './coordination/layer-store.ts';
import { pairsOf } from './layers.ts';
import { integer, listOf, within } from './literals.ts';

const subjectColumns: Readonly<Record<DirectoryKind, string>> = {
  learner: 'user_id',
  content: 'content_ref_id',
  market: 'market_id',
};

const anyDay = () => true;

/** See `AnalyticsEngine.listAffectedDays`. Corrections have the keys of the corrected rows, so only first layers are read. */
export function affectedDays(clickHouse: ClickHouse): AnalyticsEngine['listAffectedDays'] {
  return async (tx, brandId, { kind, ids }, { dataset, among }) => {
    const asked = new Set(among);
    const sorted = among.toSorted();
    const [from = '0001-01-01', to = from] = [sorted[0], sorted.at(-1)];
    const published = pairsOf(await listLayers(tx, brandId, dataset), (day) => asked.has(day), 'first');
    if (published === null || ids.length === 0) return [];
    return daysIn(
      clickHouse,
      `select distinct day from ${dataset} where brand_id = ${integer(brandId)} and ${within({ from, to })} and ${published}
         and ${subjectColumns[kind]} in ${listOf(ids)} order by day`,
    );
  };
}

export function daysWithout(clickHouse: ClickHouse): AnalyticsEngine['listDaysWithout'] {
  return async (tx, brandId, learnerIds) => {
    if (learnerIds.length === 0) return [];
    const ofLearners = `brand_id = ${integer(brandId)} and user_id in ${listOf(learnerIds)}`;
    const counted = pairsOf(await listLayers(tx, brandId, 'users'), anyDay, 'first');
    const except =
      counted === null
        ? ''
        : `and (user_id, day) not in (select user_id, day from users where ${ofLearners} and ${counted})`;
    const days = await daysIn(
      clickHouse,
      `select distinct day from learning_events where ${ofLearners} and ${await committedBatches(tx, brandId)} ${except}
       order by day`,
    );
    return listAggregatedDaysAmong(tx, brandId, days);
  };
}

export async function readLearnerActivity(
  database: Queryable,
  clickHouse: ClickHouse,
  brandId: number,
  learnerId: number,
): Promise<LearnerActivity> {
  const [hidden, layers, isCommitted] = await Promise.all([
    listHiddenLearners(database, brandId),
    listLayers(database, brandId, 'users'),
    committedBatches(database, brandId),
  ]);
  if (hidden.includes(learnerId)) return { firstDay: null, lastDay: null, aggregatedDays: [] };
  const ofLearner = `brand_id = ${integer(brandId)} and user_id = ${integer(learnerId)}`;
  const counted = pairsOf(layers, anyDay, 'first');
  const [aggregatedDays, eventDays] = await Promise.all([
    counted === null
      ? []
      : daysIn(clickHouse, `select distinct day from users where ${ofLearner} and ${counted} order by day`),
    daysIn(
      clickHouse,
      `select arrayJoin([min(day), max(day)]) as day from learning_events where ${ofLearner} and ${isCommitted}
       having count() > 0`,
    ),
  ]);
  const all = [...aggregatedDays, ...eventDays].sort();
  return { firstDay: all[0] ?? null, lastDay: all.at(-1) ?? null, aggregatedDays };
}

async function daysIn(clickHouse: ClickHouse, text: string): Promise<Day[]> {
  return (await clickHouse.numbers(text)).map(dayOfNumber);
}
