import { statement } from '../postgres/statement.ts';
import type { AuditedTransaction } from '../postgres/transaction.ts';
import type { AuditEntry, AuditRecord } from './audit-entry.ts';

export interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly action: string;
  readonly brand_id: number | null;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly details: Record<string, unknown>;
  readonly actor: string | null;
  readonly actor_name: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly brand_name: string | null;
  readonly resource_name: string | null;
}

/** Names are current ones; of what was deleted, the name in the entry. */
export const auditColumns = `e.id, e.at, e.action, e.brand_id, e.resource_type, e.resource_id, e.details, e.actor, e.actor_name,
  e.address, e.request_id, (select b.name from brands b where b.id = e.brand_id) as brand_name,
  coalesce(
    case e.resource_type
      when 'brand' then (select b.name from brands b where b.id = e.brand_id)
      when 'api_key' then (select k.name from api_keys k where k.key_id = e.resource_id)
      when 'administrator' then (select a.name from administrators a where a.token_id = e.resource_id)
    end,
    case when e.resource_type in ('api_key', 'administrator') then e.details ->> 'name' end
  ) as resource_name`;

export function auditEntryFromRow(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    action: row.action,
    brandId: row.brand_id,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    details: row.details,
    actor: row.actor,
    actorName: row.actor_name,
    address: row.address,
    requestId: row.request_id,
    brandName: row.brand_name,
    resourceName: row.resource_name,
  };
}

/**
 * Records a change of the internal surface, in the transaction of the change, so that neither exists without the
 * other. The transaction says who made it [internal-54] [D216].
 */
export async function recordAudit(tx: AuditedTransaction, record: AuditRecord): Promise<void> {
  const { action, brandId, resourceType, resourceId, details } = record;
  const { actor, actorName = null, address, requestId, onChange } = tx.initiator;
  await tx.run(
    statement<never>(
      'record_audit',
      `insert into audit_entries (action, brand_id, resource_type, resource_id, details, actor, actor_name, address,
         request_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[action, brandId, resourceType, resourceId, details],
        ...[actor, actorName, address === '' ? null : address, requestId],
      ],
    ),
  );
  onChange?.({ action, brandId, resourceType, resourceId });
}
