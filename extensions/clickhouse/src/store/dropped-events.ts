import { type Day, dayNumberOf, dayOfNumber } from '../../../../server/src/analytics/day.ts';
import type { StoredEvents } from '../../../../server/src/analytics/store/coordination/drop-events.ts';
import { findKeptSince } from '../../../../server/src/analytics/store/coordination/event-retention-store.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import type { ClickHouse } from './clickhouse.ts';
import { findOpenDay } from './coordination/open-day-store.ts';
import { integer, monthOf } from './literals.ts';

export function storedEvents(database: Database, clickHouse: ClickHouse): StoredEvents {
  /** Ascending. */
  const listMonths = () =>
    clickHouse.numbers(`select distinct toInt32(partition) as month from system.parts
      where database = currentDatabase() and table = 'learning_events' and active and rows > 0 order by month`);
  return {
    deleteDropped: async () => {
      const keptSince = await findKeptSince(database);
      const months =
        keptSince === null ? [] : (await listMonths()).filter((month) => month < monthOf(keptSince));
      for (const month of months)
        await clickHouse.run(`alter table learning_events drop partition ${integer(month)}`);
      return months.length > 0;
    },
    findOldestDay: async (day: Day) => {
      const [month] = await listMonths();
      if (month === undefined || month > monthOf(day)) return null;
      const [oldest] = await clickHouse.numbers(
        `select min(day) as day from learning_events where month = ${integer(month)} and day < ${dayNumberOf(day)}
         having count() > 0`,
      );
      return oldest === undefined ? null : dayOfNumber(oldest);
    },
    findOpenDay: async ({ from, before }) => {
      const days = await clickHouse.rows(
        `select distinct brand_id, day from learning_events
         where month between ${monthOf(from)} and ${monthOf(before)} and day >= ${dayNumberOf(from)}
           and day < ${dayNumberOf(before)}`,
      );
      return findOpenDay(
        database,
        before,
        days.map(([brandId, day]) => ({ brandId: Number(brandId), day: dayOfNumber(Number(day)) })),
      );
    },
  };
}
