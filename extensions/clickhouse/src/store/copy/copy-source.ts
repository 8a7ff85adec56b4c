import type { Readable } from 'node:stream';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { type Day, firstOfMonth, firstOfNextMonth } from '../../../../../server/src/analytics/day.ts';
import { StoreMismatch } from '../../../../../server/src/analytics/store/access.ts';
import {
  connectionOptions,
  type DatabaseAddress,
  withSettings,
} from '../../../../../server/src/postgres/connection-options.ts';
import { openConnection } from '../../../../../server/src/postgres/sessions/session-client.ts';
import { shapes } from '../dataset-shape.ts';

/** No time limits: a table may take hours. */
const settings = {
  client_encoding: 'UTF8',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};
const applicationName = 'brandport-analytics-copy';

export type CopiedTable = 'learning_events' | keyof typeof shapes;

export interface Month {
  readonly from: Day;
  readonly before: Day;
}

/** The batch and the generation of everything that is copied. Every other number is greater. */
export const copiedNumber = 1;

/**
 * Connects to an analytics store in PostgreSQL and begins a transaction that keeps every writer out until it ends: what it reads
 * is what it commits with.
 * @throws StoreMismatch if servers or workers are connected
 */
export async function openCopySource(address: DatabaseAddress): Promise<pg.Client> {
  const client = await openConnection(withSettings(connectionOptions(address, applicationName), settings));
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = '10s'`);
    await client.query(`lock table analytics.learning_events, analytics.event_claims, analytics.brand_days,
      analytics.daily, analytics.contents, analytics.users, analytics.content_engagement, analytics.dataset_revisions
      in share row exclusive mode`);
    const { rows } = await client.query(
      `select count(*)::integer as others from pg_stat_activity
       where datname = current_database() and application_name ~ '^brandport-analytics(-events|-jobs)?$'`,
    );
    if (rows[0].others > 0)
      throw new StoreMismatch(
        'Servers or workers use the analytics store. Stop them, and run the command again.',
      );
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

export async function listMonths(source: pg.Client, table: string): Promise<Month[]> {
  const { rows } = await source.query(
    `select distinct to_char(day, 'YYYY-MM') || '-01' as first from analytics.${table} order by first`,
  );
  return rows.map(({ first }) => ({ from: firstOfMonth(first), before: firstOfNextMonth(first) }));
}

export async function countRows(source: pg.Client, table: string, month: Month): Promise<number> {
  const { rows } = await source.query(
    `select count(*)::bigint as rows from analytics.${table} where day >= $1::date and day < $2::date`,
    [month.from, month.before],
  );
  return Number(rows[0].rows);
}

export function readRows(
  source: pg.Client,
  table: CopiedTable,
  columns: readonly string[],
  { from, before }: Month,
): Readable {
  const order = table === 'learning_events' ? 'day, user_id' : shapes[table].order.join(', ');
  return source.query(
    copyStreams.to(`copy (
      select ${columns.map(selected).join(', ')} from analytics.${table}
      where day >= date '${from}' and day < date '${before}' order by brand_id, ${order}
    ) to stdout`),
  );
}

/** Decimals are cut off after 6 decimal places, which no rounded mean shows [D191]. */
function selected(column: string): string {
  if (column === 'batch' || column === 'generation') return String(copiedNumber);
  if (column === 'occurred_ms') return '(extract(epoch from occurred_at) * 1000)::bigint';
  if (column === 'month') return `(extract(year from day) * 100 + extract(month from day))::integer`;
  if (column === 'day') return `day - date '1970-01-01'`;
  const isDecimal = column === 'progress' || column === 'score' || column.endsWith('_sum');
  return isDecimal ? `trunc(${column}, 6)` : column;
}
