import { sqlState } from '../../../postgres/sqlstate.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { AggregationTooLong } from '../aggregation-types.ts';

/**
 * Limits the time of all statements, waits for locks included: each gets the rest of `limitMs`. (PostgreSQL limits whole
 * transactions since version 17.)
 * @throws AggregationTooLong from `run`, which has to roll back
 */
export function boundedTransaction(tx: Transaction, limitMs: number): Transaction {
  const end = performance.now() + limitMs;
  const bounded = async <Row>(work: () => Promise<Row[]>): Promise<Row[]> => {
    const leftMs = Math.ceil(end - performance.now());
    if (leftMs <= 0) throw new AggregationTooLong();
    tx.queue(
      statement<never>('limit_statement', `select set_config('statement_timeout', $1::text, true)`, [
        String(leftMs),
      ]),
    );
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) === '57014' && performance.now() >= end - 50) throw new AggregationTooLong();
      throw error;
    }
  };
  return {
    run: <Row>(asked: Statement<Row>) => bounded(() => tx.run(asked)),
    queue: (asked) => tx.queue(asked),
  };
}
