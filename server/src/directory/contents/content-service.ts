import { recordAudit } from '../../audit/audit-store.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { notFound } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { ContentItem } from './content.ts';
import { unlistContent, upsertContents } from './content-store.ts';

/**
 * Creates or updates contents; absent fields are left unchanged.
 * @throws ApiError `not_found` if there is no such brand
 */
export async function putContents(
  tx: Transaction,
  brandId: number,
  items: readonly ContentItem[],
): Promise<void> {
  await getBrand(tx, brandId);
  await upsertContents(tx, brandId, items);
  await recordAudit(tx, {
    action: 'content.upsert',
    brandId,
    resourceType: 'content',
    resourceId: '*',
    details: { items: items.length },
  });
}

/**
 * Removes a content from the directory. Analytics rows that refer to it stay, as orphaned references.
 * @throws ApiError `not_found`
 */
export async function removeContent(
  tx: Transaction,
  brandId: number,
  type: string,
  tuId: string,
): Promise<void> {
  if (!(await unlistContent(tx, brandId, type, tuId))) throw notFound();
  await recordAudit(tx, {
    action: 'content.delete',
    brandId,
    resourceType: 'content',
    resourceId: `${type}/${tuId}`,
    details: {},
  });
}
