import type pg from 'pg';
import type { Transaction } from './transaction.ts';

export function transactionOf(client: pg.Client): Transaction {
  const run = async <Row>({ text, values }: { text: string; values: readonly unknown[] }): Promise<Row[]> =>
    (await client.query(text, [...values])).rows as Row[];
  return { run, queue: (statement) => void run(statement) };
}
