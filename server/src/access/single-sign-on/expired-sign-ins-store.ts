import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

const batchRows = 5_000;

/** Deletes the single sign-ons that were begun and not finished in time, and returns their number. */
export async function purgeExpiredSignIns(database: Database, clock: Clock): Promise<number> {
  const now = new Date(clock.now());
  for (let total = 0; ; ) {
    const deleted = await database.transaction((tx) => deleteExpiredSignIns(tx, now));
    total += deleted;
    if (deleted < batchRows) return total;
  }
}

async function deleteExpiredSignIns(tx: Transaction, now: Date): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      'delete_expired_console_sign_ins',
      `with expired as (
         select state_sha256 from console_sign_ins where expires_at <= $1
         order by expires_at limit $2 for update skip locked
       ), gone as (
         delete from console_sign_ins s using expired e where s.state_sha256 = e.state_sha256 returning 1
       )
       select count(*) as count from gone`,
      [now, batchRows],
    ),
  );
  return rows[0]?.count ?? 0;
}
