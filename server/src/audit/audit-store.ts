import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { AuditEntry, AuditRecord } from './audit-entry.ts';

export interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly action: string;
  readonly brand_id: number | null;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly details: Record<string, unknown>;
}

export const auditColumns = 'id, at, action, brand_id, resource_type, resource_id, details';

export function auditEntryFromRow(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    action: row.action,
    brandId: row.brand_id,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    details: row.details,
  };
}

/**
 * Records a change of the internal surface, in the transaction of the change, so that neither exists without the
 * other.
 */
export async function recordAudit(tx: Transaction, record: AuditRecord): Promise<void> {
  const { action, brandId, resourceType, resourceId, details } = record;
  await tx.run(
    statement<never>(
      'record_audit',
      `insert into audit_entries (action, brand_id, resource_type, resource_id, details)
       values ($1, $2, $3, $4, $5)`,
      [action, brandId, resourceType, resourceId, details],
    ),
  );
}
