import type { Page } from '../../api/pagination.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

export interface LearnerRow {
  readonly tu_id: string;
  readonly market: string | null;
  readonly analytics_opt_out: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface LearnerFilter {
  readonly tuId?: string;
  readonly isOptedOut?: boolean;
  /** `tu_id` of a market. */
  readonly market?: string;
}

const learnerColumns = 'l.tu_id, m.tu_id as market, l.analytics_opt_out, l.created_at, l.updated_at';
const learnersWithMarket = 'learners l left join markets m on m.brand_id = l.brand_id and m.id = l.market_id';

/** Lists one page of a brand's learners that match the filter, by id, and counts all; the count reads what it counts. */
export async function listLearners(
  database: Database,
  brandId: number,
  { tuId, isOptedOut, market }: LearnerFilter,
  page: Page,
): Promise<{ rows: LearnerRow[]; total: number }> {
  // Without a parameter, so that the partial index of opted-out learners applies.
  const optOut = { true: ['l.analytics_opt_out'], false: ['not l.analytics_opt_out'], undefined: [] };
  const where = new Conditions(['l.brand_id = $1', ...optOut[`${isOptedOut}`]], [brandId]);
  where.add('_by_id', (parameter) => `l.tu_id = ${parameter}`, tuId);
  where.add(
    '_by_market',
    (parameter) => `l.market_id = (select id from markets where brand_id = $1 and tu_id = ${parameter})`,
    market,
  );
  const code = `learners${{ true: '_out', false: '_in', undefined: '' }[`${isOptedOut}`]}${where.code}`;
  const values = [...where.values];
  const limit = `limit ${where.parameter(page.size)} offset ${where.parameter(page.offset)}`;
  const [rows, counts] = await Promise.all([
    database.run(
      statement<LearnerRow>(
        `list_${code}`,
        `select ${learnerColumns} from ${learnersWithMarket} where ${where.sql} order by l.tu_id ${limit}`,
        where.values,
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        `count_${code}`,
        `select count(*) as total from learners l where ${where.sql}`,
        values,
        { long: true },
      ),
    ),
  ]);
  return { rows, total: counts[0]?.total ?? 0 };
}

/** Returns a learner with the id that the analytics store knows; null if the brand has none. */
export async function findLearnerDetail(
  database: Database,
  brandId: number,
  tuId: string,
): Promise<(LearnerRow & { readonly id: number }) | null> {
  const rows = await database.run(
    statement<LearnerRow & { id: number }>(
      'find_learner_detail',
      `select l.id, ${learnerColumns} from ${learnersWithMarket} where l.brand_id = $1 and l.tu_id = $2`,
      [brandId, tuId],
    ),
  );
  return rows[0] ?? null;
}
