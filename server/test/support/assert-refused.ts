import assert from 'node:assert/strict';
import { type ErrorCode, errorCatalogue } from '../../src/errors/error-catalogue.ts';
import type { Metrics } from '../../src/http/metrics.ts';
import type { ApiResponse } from './api-client.ts';
import type { TestDatabase } from './test-database.ts';

// Matches internals that a response must not expose.
const inside =
  /\b(select|insert|update|delete)\b.*\b(from|into|set|where)\b|\bat .+:\d+:\d+|node_modules|\.(ts|js|sql)\b|pg_|sqlstate|constraint|relation|syntax error|brandport_|undefined|\[object/i;

/** Asserts that the response has this error code with its status, errors for exactly these fields, and no internals. */
export function assertRefused(
  response: Pick<ApiResponse, 'status' | 'text' | 'json'>,
  code: ErrorCode,
  fields: readonly string[] = [],
): void {
  const { status, text, json } = response;
  assert.equal(json?.code, code, `${status} ${text.slice(0, 500)}`);
  assert.equal(status, errorCatalogue[code].status);
  assert.deepEqual(Object.keys(json.errors ?? {}).sort(), [...fields].sort());
  for (const messages of Object.values(json.errors ?? {}))
    for (const message of messages as string[]) assert.match(message, /^(must|is|has) /);
  const known = ['code', 'message', 'errors', 'conflict', 'doc_url', 'source_updated_at'];
  assert.deepEqual(
    Object.keys(json).filter((key) => !known.includes(key)),
    [],
  );
  assert.doesNotMatch(json.message, inside);
  assert.doesNotMatch(JSON.stringify(json.errors ?? {}), inside);
}

/** Asserts a 422 with exactly these messages; a field with one message has a string. */
export function assertInvalid(
  response: Pick<ApiResponse, 'status' | 'text' | 'json'>,
  errors: Readonly<Record<string, string | readonly string[]>>,
): void {
  assertRefused(response, 'validation_failed', Object.keys(errors));
  const wanted = Object.entries(errors).map(([field, messages]) => [field, [messages].flat()]);
  assert.deepEqual(response.json.errors, Object.fromEntries(wanted));
}

/** Counts and versions of the catalog and the idempotency records; every write changes one of them. */
export async function writtenSoFar({ sql }: Pick<TestDatabase, 'sql'>): Promise<Record<string, unknown>> {
  const [row] = await sql(`select
    (select count(*) from products) as products,
    (select count(*) from product_stock) as product_stock,
    (select count(*) from sku_claims) as sku_claims,
    (select count(*) from idempotency_records) as idempotency_records,
    (select coalesce(sum(version), 0)::bigint from brand_catalogs) as versions,
    (select max(updated_at)::text from products) as last_updated_at`);
  return row ?? {};
}

/** Returns the number of transactions of this database that wait for a lock. */
export async function waitingForLocks({ sql }: Pick<TestDatabase, 'sql'>): Promise<number> {
  const [row] = await sql<{ waiting: number }>(
    `select count(*)::integer as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.waiting ?? 0;
}

/** Returns the value of a counter, summed over the labels that are not given. */
export async function counterAt(
  { registry }: Pick<Metrics, 'registry'>,
  name: string,
  labels: Readonly<Record<string, string | number>>,
): Promise<number> {
  const counter = await registry.getSingleMetric(name)?.get();
  assert.ok(counter, name);
  return counter.values
    .filter((value) =>
      Object.entries(labels).every(([label, wanted]) => Reflect.get(value.labels, label) === wanted),
    )
    .reduce((sum, { value }) => sum + value, 0);
}
