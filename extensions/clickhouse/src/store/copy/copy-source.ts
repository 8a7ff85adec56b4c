import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { type Day, firstOfMonth, firstOfNextMonth } from '../../../../../server/src/analytics/day.ts';
import { StoreMismatch } from '../../../../../server/src/analytics/store/store-trouble.ts';
import {
  connectionOptions,
  type DatabaseAddress,
  withSettings,
} from '../../../../../server/src/postgres/connection-options.ts';
import { openConnection } from '../../../../../server/src/postgres/sessions/session-client.ts';
import { columnsOf, type DatasetShape } from '../dataset-shape.ts';
import { eventColumns } from '../schema.ts';

/** Settings on which the text of a copy depends; a table may take hours. */
const settings = {
  datestyle: 'ISO',
  client_encoding: 'UTF8',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};
const applicationName = 'brandport-analytics-copy';

/** A month, its first day included, the first of the next one not. */
export interface Month {
  readonly from: Day;
  readonly before: Day;
}

/** The batch and the generation of everything that is copied. Every other number is greater. */
export const copiedNumber = 1;

/** An analytics store in PostgreSQL in a transaction that nothing changes: what it reads is what it commits with. */
export class CopySource {
  readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  /**
   * Begins the transaction and keeps every writer out until it ends.
   * @throws StoreMismatch if servers or workers are connected
   */
  static async open(address: DatabaseAddress): Promise<CopySource> {
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
      return new CopySource(client);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** The months of which a table has rows, ascending. */
  async listMonths(table: string): Promise<Month[]> {
    const { rows } = await this.client.query(
      `select distinct to_char(day, 'YYYY-MM') || '-01' as first from analytics.${table} order by first`,
    );
    return rows.map(({ first }) => ({ from: firstOfMonth(first), before: firstOfNextMonth(first) }));
  }

  /** The events of a month as lines of tab-separated values, in the order of `eventColumns`. */
  readEvents(month: Month) {
    const columns = Object.keys(eventColumns).map((column) => {
      if (column === 'batch') return String(copiedNumber);
      if (column === 'occurred_ms') return '(extract(epoch from occurred_at) * 1000)::bigint';
      return column === 'progress' || column === 'score' ? `trunc(${column}, 6)` : selected(column);
    });
    return this.#copy(columns, 'learning_events', month, 'brand_id, day, user_id');
  }

  /** The rows of a dataset. Sums are cut off after 6 decimal places, which no rounded mean shows [D191]. */
  readDataset(shape: DatasetShape, month: Month) {
    const columns = columnsOf(shape).map((column) => {
      if (column === 'generation') return String(copiedNumber);
      return column.endsWith('_sum') ? `trunc(${column}, 6)` : selected(column);
    });
    return this.#copy(columns, shape.name, month, `brand_id, ${shape.order.join(', ')}`);
  }

  async countRows(table: string, month: Month): Promise<number> {
    const { rows } = await this.client.query(
      `select count(*)::bigint as rows from analytics.${table} where day >= $1::date and day < $2::date`,
      [month.from, month.before],
    );
    return Number(rows[0].rows);
  }

  /** Commits; without it, `close` rolls back. */
  async commit(): Promise<void> {
    await this.client.query('commit');
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  #copy(columns: readonly string[], table: string, { from, before }: Month, order: string) {
    return this.client.query(
      copyStreams.to(`copy (
        select ${columns.join(', ')} from analytics.${table}
        where day >= date '${from}' and day < date '${before}' order by ${order}
      ) to stdout`),
    );
  }
}

function selected(column: string): string {
  if (column === 'month') return `(extract(year from day) * 100 + extract(month from day))::integer`;
  return column === 'day' ? `day - date '1970-01-01'` : column;
}
