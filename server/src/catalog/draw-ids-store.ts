import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

export async function drawIds(
  tx: Transaction,
  kind: 'product' | 'stock_location' | 'variant',
  count: number,
): Promise<number[]> {
  if (count === 0) return [];
  const rows = await tx.run(
    statement<{ id: number }>(
      `draw_${kind}_ids`,
      `select nextval('${kind}s_id_seq') as id from generate_series(1, $1::integer)`,
      [count],
    ),
  );
  return rows.map(({ id }) => id);
}
