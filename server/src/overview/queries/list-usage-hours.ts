import { eventUse } from '../../access/key-usage/usage-counts.ts';
import type { BrandReach } from '../../api/access.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** The requests of keys and the accepted learning events of an hour. */
export interface UsageHour {
  /** The start of the hour. */
  readonly at: Date;
  readonly requests: number;
  readonly refused: number;
  readonly denied: number;
  readonly failed: number;
  readonly events: number;
}

/** Adds up the usage of some brands by hour, from the hour that begins at `first`; hours without any have no row. */
export function listUsageHours(database: Queryable, brandIds: BrandReach, first: Date): Promise<UsageHour[]> {
  const where = new Conditions(['hour >= $1::timestamptz'], [first]);
  where.addBrands('brand_id', brandIds);
  const sumOf = (column: string, isOf = '<>') =>
    `coalesce(sum(${column}) filter (where key_id ${isOf} '${eventUse.keyId}'), 0)::bigint`;
  return database.run(
    statement<UsageHour>(
      `list_usage_hours${where.code}`,
      `select hour as at, ${sumOf('requests')} as requests, ${sumOf('refused')} as refused, ${sumOf('denied')} as denied,
         ${sumOf('failed')} as failed, ${sumOf('requests', '=')} as events
       from api_key_usage where ${where.sql} group by hour`,
      where.values,
      { long: true },
    ),
  );
}
