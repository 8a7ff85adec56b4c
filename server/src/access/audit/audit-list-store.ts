import type { Page } from '../../api/pagination.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type AuditRow, auditColumns, auditEntryFromRow } from './audit-store.ts';

export interface AuditFilter {
  readonly brandId?: number;
  readonly action?: string;
}

/** One page of the entries that the filter lets through, newest first, and how many there are. */
export async function listAuditEntries(
  database: Database,
  filter: AuditFilter,
  page: Page,
): Promise<{ entries: AuditEntry[]; total: number }> {
  const { name, where, values } = conditionsOf(filter);
  const limit = values.length + 1;
  const [rows, counts] = await Promise.all([
    database.query(
      statement<AuditRow>(
        `list_audit_entries${name}`,
        `select ${auditColumns} from audit_entries ${where} order by id desc limit $${limit} offset $${limit + 1}`,
        [...values, page.size, page.offset],
      ),
    ),
    database.query(
      statement<{ total: number }>(
        `count_audit_entries${name}`,
        `select count(*) as total from audit_entries ${where}`,
        values,
      ),
    ),
  ]);
  return { entries: rows.map(auditEntryFromRow), total: counts[0]?.total ?? 0 };
}

/** Each combination of filters is a statement of its own, so that each is planned with the index that fits it. */
function conditionsOf({ brandId, action }: AuditFilter) {
  const values: unknown[] = [];
  const conditions: string[] = [];
  let name = '';
  if (brandId !== undefined) {
    name += '_by_brand';
    conditions.push(`brand_id = $${values.push(brandId)}`);
  }
  if (action !== undefined) {
    name += '_by_action';
    conditions.push(`action = $${values.push(action)}`);
  }
  return { name, where: conditions.length > 0 ? `where ${conditions.join(' and ')}` : '', values };
}
