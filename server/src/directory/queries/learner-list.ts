import type { Page } from '../../api/pagination.ts';
import type { Database } from '../../postgres/database.ts';
import { Conditions, readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';

export interface LearnerRow {
  readonly tu_id: string;
  readonly market: string | null;
  readonly analytics_opt_out: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface LearnerFilter {
  readonly tuId?: string | undefined;
  readonly isOptedOut?: boolean | undefined;
  readonly market?: string | undefined;
}

const learnerColumns = 'l.tu_id, m.tu_id as market, l.analytics_opt_out, l.created_at, l.updated_at';
const learnersWithMarket = 'learners l left join markets m on m.brand_id = l.brand_id and m.id = l.market_id';

/** Lists one page of a brand's learners that match the filter, by id, and counts all; the count reads what it counts. */
export function listLearners(
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
  const name = `learners${{ true: '_out', false: '_in', undefined: '' }[`${isOptedOut}`]}${where.code}`;
  const list = { name, columns: learnerColumns, from: learnersWithMarket, where, orderBy: 'l.tu_id' };
  return readPage(database, list, page);
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
