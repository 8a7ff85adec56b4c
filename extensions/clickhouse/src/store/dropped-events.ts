import { type Day, dayNumberOf, dayOfNumber } from '../../../../server/src/analytics/day.ts';
import { findKeptSince } from '../../../../server/src/analytics/store/events-store.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import type { ClickHouse } from './clickhouse.ts';
import { findOpenDay } from './coordination/open-day-store.ts';
import { integer, monthOf } from './literals.ts';

/** Ascending. */
function listMonths(clickHouse: ClickHouse): Promise<number[]> {
  return clickHouse.numbers(`select distinct toInt32(partition) as month from system.parts
      where database = currentDatabase() and table = 'learning_events' and active and rows > 0 order by month`);
}

export async function deleteDroppedEvents(database: Database, clickHouse: ClickHouse): Promise<boolean> {
  const keptSince = await findKeptSince(database);
  if (keptSince === null) return false;
  const months = (await listMonths(clickHouse)).filter((month) => month < monthOf(keptSince));
  for (const month of months)
    await clickHouse.run(`alter table learning_events drop partition ${integer(month)}`);
  return months.length > 0;
}

export async function findOldestEventDay(clickHouse: ClickHouse, before: Day): Promise<Day | null> {
  const [month] = await listMonths(clickHouse);
  if (month === undefined || month > monthOf(before)) return null;
  const [oldest] = await clickHouse.numbers(
    `select min(day) as day from learning_events where month = ${integer(month)} and day < ${dayNumberOf(before)}
     having count() > 0`,
  );
  return oldest === undefined ? null : dayOfNumber(oldest);
}

export async function findOpenEventDay(
  database: Database,
  clickHouse: ClickHouse,
  { from, before }: { readonly from: Day; readonly before: Day },
): Promise<Day | null> {
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
}
