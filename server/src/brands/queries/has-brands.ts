import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/** Whether any brand exists. */
export async function hasBrands(tx: Transaction): Promise<boolean> {
  const rows = await tx.run(
    statement<{ found: boolean }>('has_brands', 'select exists (select 1 from brands) as found'),
  );
  return rows[0]?.found === true;
}
