import { deleteRows } from '../postgres/row-set.ts';
import { statement } from '../postgres/statement.ts';
import type { AuditedTransaction, Transaction } from '../postgres/transaction.ts';
import type { AuditRecord } from './audit-entry.ts';

/** Names are current ones; of what was deleted, the name in the entry. */
export const auditColumns = `e.id, e.at, e.action, e.brand_id as "brandId", e.resource_type as "resourceType",
  e.resource_id as "resourceId", e.details, e.actor, e.actor_name as "actorName", e.address, e.request_id as "requestId",
  (select b.name from brands b where b.id = e.brand_id) as "brandName",
  coalesce(
    case e.resource_type
      when 'brand' then (select b.name from brands b where b.id = e.brand_id)
      when 'api_key' then (select k.name from api_keys k where k.key_id = e.resource_id)
      when 'administrator' then (select a.name from administrators a where a.token_id = e.resource_id)
    end,
    case when e.resource_type in ('api_key', 'administrator') then e.details ->> 'name' end
  ) as "resourceName"`;

/** Records a change in its own transaction, which says who made it: neither exists without the other [internal-54] [D216]. */
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

/** Drops up to `limit` entries from before the given time, the oldest first, and returns their number. */
export function dropAuditEntries(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = { name: 'drop_audit_entries', table: 'audit_entries', where: 'at < $1', orderBy: 'at' };
  return deleteRows(tx, { ...old, values: [before] }, limit);
}
