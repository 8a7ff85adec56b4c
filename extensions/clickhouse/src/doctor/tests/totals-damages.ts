import type { DatasetName } from '../../../../../server/src/analytics/store/datasets.ts';
import { shapes, totalsColumns, totalsTable } from '../../store/dataset-shape.ts';

/** Damage to the totals of a dataset in ClickHouse, with the findings. */
export interface TotalsDamage {
  /** A statement of ClickHouse; `{brand}` is the brand, `{min}` its first key. */
  readonly run?: string;
  /** A statement of PostgreSQL. */
  readonly sql?: string;
  readonly expected: readonly RegExp[];
}

const copied = (dataset: DatasetName, changed: Readonly<Record<string, string>>) => {
  const columns = totalsColumns(shapes[dataset]);
  return `insert into ${totalsTable(dataset)} (${columns.join(', ')})
    select ${columns.map((column) => changed[column] ?? column).join(', ')}
    from ${totalsTable(dataset)} where brand_id = {brand} limit 1`;
};

/** Wrong, missing and superfluous totals of each dataset, with the findings. */
export const damagedTotals: Readonly<Record<`totals_${DatasetName}`, readonly TotalsDamage[]>> = {
  totals_daily: [
    {
      run: 'alter table totals_daily update xp_earned = xp_earned + 3 where brand_id = {brand} and market_id = 0',
      expected: [/^totals_daily \S+ market 0 xp_earned: 43 > 40$/],
    },
    {
      sql: `update analytics.running_totals set rows = rows + 1 where brand_id = {brand} and dataset = 'daily'`,
      expected: [/^totals_daily (\S+) rows: 4 > 3$/],
    },
  ],
  totals_contents: [
    {
      run: 'alter table totals_contents update progress_sum = progress_sum + 0.000001 where brand_id = {brand} and content_ref_id = {min}',
      expected: [/^totals_contents \S+ content \d+ progress_sum: 100.000001 > 100$/],
    },
    {
      run: 'delete from totals_contents where brand_id = {brand} and content_ref_id = {min}',
      expected: [
        /^totals_contents \S+ content \d+ total: null > present$/,
        /^totals_contents \S+ rows: 2 > 1$/,
      ],
    },
  ],
  totals_users: [
    {
      run: 'alter table totals_users update episode_views = 0, views = 0 where brand_id = {brand} and user_id = {min}',
      expected: [
        /^totals_users \S+ learner \d+ views: 0 > 2$/,
        /^totals_users \S+ learner \d+ episode_views: 0 > 2$/,
      ],
    },
    {
      run: copied('users', {}),
      expected: [/^totals_users \S+ learner \d+ copies: 2 > 1$/, /^totals_users \S+ rows: 2 > 3$/],
    },
  ],
  totals_content_engagement: [
    {
      run: copied('content_engagement', { user_id: '999999' }),
      expected: [
        /^totals_content_engagement \S+ learner 999999 content \d+ total: present > null$/,
        /^totals_content_engagement \S+ rows: 4 > 5$/,
      ],
    },
    {
      run: 'delete from totals_content_engagement where brand_id = {brand}',
      expected: [
        ...Array.from(
          { length: 4 },
          () => /^totals_content_engagement \S+ learner \d+ content \d+ total: null > present$/,
        ),
        /^totals_content_engagement \S+ rows: 4 > 0$/,
      ],
    },
  ],
};
