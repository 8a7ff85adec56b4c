import type { BrandReach } from '../api/access.ts';
import type { Page } from '../api/pagination.ts';
import type { TimeRange } from '../api/time-range.ts';
import type { Queryable } from '../postgres/database.ts';
import { Conditions, foldedSql, readPage } from '../postgres/read-page.ts';
import { statement } from '../postgres/statement.ts';
import type { AuditEntry } from './audit-entry.ts';
import { auditColumns } from './audit-store.ts';

export interface AuditFilter extends TimeRange {
  readonly brandId?: number | undefined;
  readonly action?: string | undefined;
  /** Leaves out the actions of this group: those that begin with it and a dot. */
  readonly exclude?: string | undefined;
  /** The id of an actor, or its name in upper or lower case. */
  readonly actor?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  /** Only changes of these brands; null or absent: all changes. */
  readonly brandIds?: BrandReach;
}

/** Lists one page of the entries that match the filter, newest first, and counts all; the count reads what it counts. */
export function listAuditEntries(
  database: Queryable,
  filter: AuditFilter,
  page: Page,
): Promise<{ rows: AuditEntry[]; total: number }> {
  const where = conditionsOf(filter);
  const list = { name: `audit_entries${where.code}`, columns: auditColumns, from: 'audit_entries e', where };
  return readPage(database, { ...list, orderBy: 'id desc' }, page);
}

/** Entries of one statement: some 500 KB. */
const step = 1_000;

/**
 * Yields entries, newest first. Each part is a separate statement, so no connection waits for a slow consumer. Entries that are
 * added meanwhile are left out.
 */
export async function* readAuditEntries(
  database: Queryable,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry[], void> {
  let before: number | undefined;
  for (;;) {
    const where = conditionsOf(filter);
    where.add('_before', (parameter) => `id < ${parameter}`, before);
    const condition = where.sql === '' ? '' : `where ${where.sql}`;
    const rows = await database.run(
      statement<AuditEntry>(
        `read_audit_entries${where.code}`,
        `select ${auditColumns} from audit_entries e ${condition} order by id desc limit ${step}`,
        where.values,
        { long: true },
      ),
    );
    if (rows.length > 0) yield rows;
    if (rows.length < step) return;
    before = rows.at(-1)?.id;
  }
}

function conditionsOf(filter: AuditFilter): Conditions {
  const where = new Conditions([], []);
  where.add('_by_brand', (parameter) => `brand_id = ${parameter}`, filter.brandId);
  where.add('_by_action', (parameter) => `action = ${parameter}`, filter.action);
  where.add('_without', (parameter) => `not starts_with(action, ${parameter} || '.')`, filter.exclude);
  const byActor = (name: string) =>
    `(actor = ${name} or ${foldedSql('actor_name')} = ${foldedSql(`${name}::text`)})`;
  where.add('_by_actor', byActor, filter.actor);
  where.add('_of_type', (parameter) => `resource_type = ${parameter}`, filter.resourceType);
  where.add('_by_resource', (parameter) => `resource_id = ${parameter}`, filter.resourceId);
  where.add('_from', (parameter) => `at >= ${parameter}::timestamptz`, filter.from);
  where.add('_to', (parameter) => `at <= ${parameter}::timestamptz`, filter.to);
  where.addBrands('brand_id', filter.brandIds ?? null);
  return where;
}
