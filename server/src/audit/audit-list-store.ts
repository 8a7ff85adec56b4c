import type { Page } from '../api/pagination.ts';
import { Conditions } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type AuditRow, auditColumns, auditEntryFromRow } from './audit-store.ts';

export interface AuditFilter {
  readonly brandId?: number;
  readonly action?: string;
}

/** Lists one page of the entries that match the filter, newest first, and counts all. */
export async function listAuditEntries(
  database: Queryable,
  filter: AuditFilter,
  page: Page,
): Promise<{ entries: AuditEntry[]; total: number }> {
  const where = conditionsOf(filter);
  const { code } = where;
  const matches = `from audit_entries ${where.sql === '' ? '' : `where ${where.sql}`}`;
  const values = [...where.values];
  const limit = `limit ${where.parameter(page.size)} offset ${where.parameter(page.offset)}`;
  const [rows, counts] = await Promise.all([
    database.run(
      statement<AuditRow>(
        `list_audit_entries${code}`,
        `select ${auditColumns} ${matches} order by id desc ${limit}`,
        where.values,
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        `count_audit_entries${code}`,
        `select count(*) as total ${matches}`,
        values,
        { long: true },
      ),
    ),
  ]);
  return { entries: rows.map(auditEntryFromRow), total: counts[0]?.total ?? 0 };
}

function conditionsOf({ brandId, action }: AuditFilter): Conditions {
  const where = new Conditions([], []);
  where.add('_by_brand', (parameter) => `brand_id = ${parameter}`, brandId);
  where.add('_by_action', (parameter) => `action = ${parameter}`, action);
  return where;
}
