import { recordAudit } from '../audit/audit-store.ts';
import type { AuditedTransaction } from '../postgres/transaction.ts';

type ResourceType = 'market' | 'point_of_sale' | 'learner' | 'content';

export function recordUpsert(
  tx: AuditedTransaction,
  brandId: number,
  resourceType: ResourceType,
  { length: items }: readonly unknown[],
): Promise<void> {
  const action = `${resourceType}.upsert` as const;
  return recordAudit(tx, { action, brandId, resourceType, resourceId: '*', details: { items } });
}

export function recordDeletion(
  tx: AuditedTransaction,
  brandId: number,
  resourceType: ResourceType,
  resourceId: string,
): Promise<void> {
  const action = `${resourceType}.delete` as const;
  return recordAudit(tx, { action, brandId, resourceType, resourceId, details: {} });
}
