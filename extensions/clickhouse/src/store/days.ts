import { type Day, dayNumberOf, dayOfNumber } from '../../../../server/src/analytics/day.ts';
import { shapeOf, subjectColumns } from '../../../../server/src/analytics/store/datasets.ts';
import { listAggregatedDaysAmong } from '../../../../server/src/analytics/store/days-store.ts';
import type { AnalyticsEngine } from '../../../../server/src/analytics/store/engine.ts';
import { findKeptSince } from '../../../../server/src/analytics/store/events-store.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { ClickHouse } from './clickhouse.ts';
import { committedBatches } from './events.ts';
import { listHidden, notHidden, withoutHidden } from './hidden-learner-store.ts';
import { listPublished, publishedOf } from './published-store.ts';
import { integer, listOf, monthOf, within } from './schema.ts';

type DayMethods = Pick<
  AnalyticsEngine,
  | 'listAffectedDays'
  | 'listDaysWithout'
  | 'readLearnerActivity'
  | 'deleteDroppedEvents'
  | 'findOldestEventDay'
  | 'findOpenEventDay'
>;

/** Days of subjects and of events. */
export function dayMethods(jobs: Database, pages: ClickHouse, work: ClickHouse): DayMethods {
  return {
    async listAffectedDays(tx, brandId, { kind, ids }, { dataset, among }) {
      const sorted = among.toSorted();
      const [from = '0001-01-01', to = from] = [sorted[0], sorted.at(-1)];
      const published = publishedOf(await listPublished(tx, brandId, dataset, { from, to }));
      if (published === null || ids.length === 0) return [];
      const hidden = notHidden(shapeOf(dataset), await listHidden(tx, brandId));
      const asked = new Set(among);
      const days = await daysIn(
        work,
        `select distinct day from ${dataset} where brand_id = ${integer(brandId)} and ${within({ from, to })} and ${published}
           and ${subjectColumns[kind]} in ${listOf(ids)}${hidden} order by day`,
      );
      return days.filter((day) => asked.has(day));
    },

    async listDaysWithout(tx, brandId, learnerIds) {
      if (learnerIds.length === 0) return [];
      const ofLearners = `brand_id = ${integer(brandId)} and user_id in ${listOf(learnerIds)}`;
      const hidden = await listHidden(tx, brandId);
      const published = publishedOf(await listPublished(tx, brandId, 'users'));
      const counted = `select user_id, day from users where ${ofLearners} and ${published}${notHidden(shapeOf('users'), hidden)}`;
      const days = await daysIn(
        work,
        `select distinct day from learning_events
         where ${ofLearners} and ${await committedBatches(tx, brandId)}${withoutHidden(hidden)}
         ${published === null ? '' : `and (user_id, day) not in (${counted})`} order by day`,
      );
      return listAggregatedDaysAmong(tx, brandId, days);
    },

    async readLearnerActivity(database, brandId, learnerId) {
      const [hidden, ofUsers, isCommitted] = await Promise.all([
        listHidden(database, brandId),
        listPublished(database, brandId, 'users'),
        committedBatches(database, brandId),
      ]);
      const ofLearner = `brand_id = ${integer(brandId)} and user_id = ${integer(learnerId)}`;
      const published = publishedOf(ofUsers);
      const [aggregatedDays, eventDays] = await Promise.all([
        published === null
          ? []
          : daysIn(
              pages,
              `select distinct day from users where ${ofLearner} and ${published}${notHidden(shapeOf('users'), hidden)} order by day`,
            ),
        daysIn(
          pages,
          `select arrayJoin([min(day), max(day)]) as day from learning_events
           where ${ofLearner} and ${isCommitted}${withoutHidden(hidden)} having count() > 0`,
        ),
      ]);
      const all = [...aggregatedDays, ...eventDays].sort();
      return { firstDay: all[0] ?? null, lastDay: all.at(-1) ?? null, aggregatedDays };
    },

    async deleteDroppedEvents() {
      const keptSince = await findKeptSince(jobs);
      if (keptSince === null) return false;
      const months = (await listMonths(work)).filter((month) => month < monthOf(keptSince));
      for (const month of months)
        await work.run(`alter table learning_events drop partition ${integer(month)}`);
      return months.length > 0;
    },

    async findOldestEventDay(before) {
      const [month] = await listMonths(work);
      if (month === undefined || month > monthOf(before)) return null;
      const [oldest] = await daysIn(
        work,
        `select min(day) as day from learning_events where month = ${integer(month)} and day < ${dayNumberOf(before)}
         having count() > 0`,
      );
      return oldest ?? null;
    },

    async findOpenEventDay({ from, before }) {
      const days = await work.rows(
        `select distinct brand_id, day from learning_events
         where month between ${monthOf(from)} and ${monthOf(before)} and day >= ${dayNumberOf(from)}
           and day < ${dayNumberOf(before)}`,
      );
      const rows = await jobs.run(
        statement<{ day: Day | null }>(
          'find_open_day_among',
          `select to_char(min(o.day), 'YYYY-MM-DD') as day from (
             select e.day from unnest($1::integer[], $2::date[]) as e (brand_id, day)
             where not exists (
               select from analytics.brand_days b
               where b.brand_id = e.brand_id and b.day = e.day and b.aggregated_at is not null and not b.is_dirty
             )
             union all
             select b.day from analytics.brand_days b left join analytics.event_retention r on true
             where b.is_dirty and b.day < $3::date and (r.kept_since is null or b.day >= r.kept_since)
           ) as o`,
          [days.map(([id]) => Number(id)), days.map(([, day]) => dayOfNumber(Number(day))), before],
          { long: true },
        ),
      );
      return rows[0]?.day ?? null;
    },
  };
}

/** The months with events, ascending. */
function listMonths(clickHouse: ClickHouse): Promise<number[]> {
  return clickHouse.numbers(`select distinct toInt32(partition) as month from system.parts
    where database = currentDatabase() and table = 'learning_events' and active and rows > 0 order by month`);
}

async function daysIn(clickHouse: ClickHouse, text: string): Promise<Day[]> {
  return (await clickHouse.numbers(text)).map(dayOfNumber);
}
