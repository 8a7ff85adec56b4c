import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { type LearnerRow, learnerColumns, learnersWithMarket } from './learner-list.ts';

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
