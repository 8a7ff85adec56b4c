import fc from 'fast-check';
import type { TestApps } from '../../../test/support/test-apps.ts';
import type { Day } from '../day.ts';
import { type DatasetName, datasetNames } from '../store/datasets.ts';

/** The columns that identify a row of each dataset in addition to brand and day. */
const keys: Record<DatasetName, readonly string[]> = {
  daily: ['market_id'],
  contents: ['content_ref_id'],
  users: ['user_id'],
  content_engagement: ['content_ref_id', 'user_id'],
};

/** A statement that damages a dataset on one day. */
export interface Damage {
  readonly dataset: DatasetName;
  /** The index of the day in the window. */
  readonly day: number;
  readonly act: 'change figures' | 'delete rows' | 'invent rows' | 'move to another key';
  /** Selects the damaged rows and columns. */
  readonly seed: number;
}

export const damageOf = (days: number): fc.Arbitrary<Damage> =>
  fc.record({
    dataset: fc.constantFrom(...datasetNames),
    day: fc.integer({ min: 0, max: days - 1 }),
    act: fc.constantFrom(
      'change figures' as const,
      'change figures' as const,
      'delete rows' as const,
      'invent rows' as const,
      'move to another key' as const,
    ),
    seed: fc.integer({ min: 0, max: 1_000 }),
  });

/** Damages only the rows of one day. */
export async function inflict(apps: TestApps, brandId: number, day: Day, damage: Damage): Promise<void> {
  const { dataset, act, seed } = damage;
  const table = `analytics.${dataset}`;
  const columns = await columnsOf(apps, dataset);
  const figures = columns.filter(({ type }) => ['bigint', 'numeric'].includes(type));
  const hit = figures.filter(({ name }, place) => !keys[dataset].includes(name) && (seed + place) % 3 === 0);
  const ofDay = 'brand_id = $1 and day = $2::date';
  const someRows = `abs(hashtext(${keys[dataset].map((key) => `${key}::text`).join(" || '/' || ")}) + ${seed}) % 2 = 0`;
  if (act === 'change figures')
    await apps.sql(
      `update ${table} set ${hit.map(({ name }, place) => `${name} = ${name} ${place % 2 ? '-' : '+'} ${seed + 7}`).join(', ')}
       where ${ofDay} and ${someRows}`,
      [brandId, day],
    );
  else if (act === 'delete rows')
    await apps.sql(`delete from ${table} where ${ofDay} and ${someRows}`, [brandId, day]);
  else if (act === 'invent rows') {
    // Copies rows of other days to this day.
    const copied = columns.map(({ name }) => (name === 'day' ? '$2::date' : name)).join(', ');
    await apps.sql(
      `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
       select distinct on (${keys[dataset].join(', ')}) ${copied} from ${table}
       where brand_id = $1 and day <> $2::date order by ${keys[dataset].join(', ')}, day
       on conflict do nothing`,
      [brandId, day],
    );
  } else {
    const key = keys[dataset].at(-1);
    // Swaps the keys of two rows of the day, using a temporary unused key.
    const [one, other] = await apps.sql<Record<string, number>>(
      `select ${keys[dataset].join(', ')} from ${table} where ${ofDay} order by 1 limit 2 offset ${seed % 2}`,
      [brandId, day],
    );
    if (one === undefined) return;
    const where = keys[dataset].map((name, place) => `${name} = $${place + 3}`).join(' and ');
    const named = (row: Record<string, number>) => keys[dataset].map((name) => row[name]);
    const move = (row: Record<string, number>, to: string) =>
      apps.sql(`update ${table} set ${key} = ${to} where ${ofDay} and ${where}`, [
        brandId,
        day,
        ...named(row),
      ]);
    if (other === undefined || dataset === 'content_engagement')
      return void (await move(one, `-${seed + 1}`));
    await move(one, '-1');
    await move(other, String(one[key as string]));
    await apps.sql(`update ${table} set ${key} = ${other[key as string]} where ${ofDay} and ${key} = -1`, [
      brandId,
      day,
    ]);
  }
}

async function columnsOf(apps: TestApps, dataset: DatasetName) {
  return apps.sql<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'analytics' and table_name = $1 order by ordinal_position`,
    [dataset],
  );
}
