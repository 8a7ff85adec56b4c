import { type Day, dayNumberOf, dayOfNumber } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/datasets.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import { notHidden, shapes, totalsTable } from '../../store/dataset-shape.ts';
import { type Layers, pairsOf } from '../../store/layers.ts';
import { integer, monthOf } from '../../store/literals.ts';
import { differenceOf, exampleLimit, type FoundDifference, nameOfKey } from '../differences.ts';
import type { BrandRecords } from './read-records.ts';

/** Keys or ids of one statement, which keeps a few dozen bytes of each in memory. */
const keysAtOnce = 2_000_000;

/** Finds keys whose last running total of views is not the sum of their days; `exampleLimit` for each part of the keys. */
export async function findTotalDifferences(
  clickHouse: ClickHouse,
  brandId: number,
  dataset: DatasetName,
  { records, rows, signal }: { records: BrandRecords; rows: number; signal: AbortSignal | undefined },
): Promise<FoundDifference[]> {
  const shape = shapes[dataset];
  const layers = records.layers.get(dataset) ?? new Map();
  const all = pairsOf(layers, () => true, 'all');
  const first = pairsOf(layers, () => true, 'first');
  if (all === null || first === null) return [];
  const { keys } = shape;
  const shown = notHidden(shape, records.hiddenLearnerIds);
  const parts = Math.ceil(rows / keysAtOnce);
  const found: FoundDifference[] = [];
  for (let part = 0; part < parts; part += 1) {
    const rowsOfPart = await clickHouse.rows(
      `select max(day) as last, argMax(cumulative_views, (day, generation)) as stored, sumIf(views, ${first}) as actual,
         ${keys.join(', ')}
       from ${dataset} where brand_id = ${integer(brandId)} and ${all}${shown}
         and cityHash64(${keys.join(', ')}) % ${integer(parts)} = ${integer(part)}
       group by ${keys.join(', ')} having stored != actual order by last, ${keys.join(', ')} limit ${exampleLimit}`,
      { signal },
    );
    for (const [last, stored = '', actual = '', ...values] of rowsOfPart) {
      const day = dayOfNumber(Number(last));
      const id = nameOfKey(dataset, day, values);
      found.push(differenceOf(day, 'cumulative_views', { stored, actual }, id));
    }
  }
  return found;
}

/** Finds ids that several committed events of a day have. */
export async function findDoubledIds(
  clickHouse: ClickHouse,
  brandId: number,
  day: Day,
  { records, events }: { records: BrandRecords; events: number },
): Promise<FoundDifference[]> {
  const parts = Math.ceil(events / keysAtOnce);
  const found: FoundDifference[] = [];
  for (let part = 0; part < parts && found.length < exampleLimit; part += 1) {
    // Hexadecimal: an id may contain any character.
    const doubled = await clickHouse.rows(
      `select lower(hex(event_id)) as id, count() as copies from learning_events
       where brand_id = ${integer(brandId)} and month = ${monthOf(day)} and day = ${dayNumberOf(day)} and ${records.isCommitted}
         and cityHash64(event_id) % ${integer(parts)} = ${integer(part)}
       group by event_id having copies > 1 order by id limit ${exampleLimit}`,
    );
    for (const [id = '', copies = ''] of doubled) {
      const text = Buffer.from(id, 'hex').toString('utf8');
      found.push(differenceOf(day, 'copies', { stored: copies, actual: '1' }, text));
    }
  }
  return found;
}

/** Finds rows of a dataset and its totals older than an hour that are of no published generation and unknown to the upkeep. */
export async function findOrphanRows(
  clickHouse: ClickHouse,
  brandId: number,
  dataset: DatasetName,
  records: BrandRecords,
): Promise<FoundDifference[]> {
  const totals = records.totals.get(dataset);
  const layers = records.layers.get(dataset) ?? new Map();
  const ofTotals: Layers = new Map(totals === undefined ? [] : [[totals.through, [totals.generation]]]);
  return [
    ...(await findUnpublishedRows(clickHouse, brandId, { ...records, table: dataset, layers })),
    ...(await findUnpublishedRows(clickHouse, brandId, {
      ...records,
      table: totalsTable(dataset),
      layers: ofTotals,
    })),
  ];
}

async function findUnpublishedRows(
  clickHouse: ClickHouse,
  brandId: number,
  {
    table,
    layers,
    known,
    hourAgo,
  }: Pick<BrandRecords, 'known' | 'hourAgo'> & { readonly table: string; readonly layers: Layers },
): Promise<FoundDifference[]> {
  const published = new Set(
    [...layers].flatMap(([day, generations]) =>
      generations.map((generation) => `${dayNumberOf(day)} ${generation}`),
    ),
  );
  const stored = await clickHouse.rows(
    `select day, generation, count() as rows from ${table}
     where brand_id = ${integer(brandId)} and generation < ${integer(hourAgo)} group by day, generation order by day, generation`,
  );
  return stored
    .filter(([day, generation]) => !published.has(`${day} ${generation}`) && !known.has(Number(generation)))
    .map(([number, generation, rows = null]) => {
      const day = dayOfNumber(Number(number));
      return differenceOf(day, 'rows', { stored: rows, actual: null }, `${table} ${day} ${generation}`);
    });
}

/** Finds events older than an hour whose batch was never committed. */
export async function findOrphanBatches(
  clickHouse: ClickHouse,
  brandId: number,
  { isCommitted, hourAgo }: BrandRecords,
): Promise<FoundDifference[]> {
  const orphans = await clickHouse.rows(
    `select min(day) as day, batch, count() as events from learning_events
     where brand_id = ${integer(brandId)} and batch < ${integer(hourAgo)} and not ${isCommitted}
     group by batch order by batch limit 1000`,
  );
  return orphans.map(([day, batch, events = null]) => {
    const values = { stored: events, actual: null };
    return differenceOf(dayOfNumber(Number(day)), 'rows', values, `learning_events batch ${batch}`);
  });
}
