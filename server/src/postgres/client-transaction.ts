import type pg from 'pg';
import type { Transaction } from './transaction.ts';

export async function inTransaction<T>(client: pg.Client, work: (tx: Transaction) => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work(transactionOf(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

export function transactionOf(client: pg.Client): Transaction {
  const run = async <Row>({ text, values }: { text: string; values: readonly unknown[] }): Promise<Row[]> =>
    (await client.query(text, [...values])).rows as Row[];
  return { run, queue: (statement) => void run(statement) };
}
