import { recordAudit } from '../../audit/audit-store.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { notFound } from '../../errors/api-error.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { type FeedToken, newFeedToken } from './feed-token.ts';
import { deleteFeedTokenRow, insertFeedToken } from './feed-token-store.ts';

export interface IssuedFeedToken {
  readonly token: FeedToken;
  /** `cfk_<40 characters>`; known only now. */
  readonly plaintext: string;
}

/** Issues a token for the legacy stock feed path, in the caller's transaction. @throws ApiError `not_found` without the brand */
export async function createFeedToken(
  tx: AuditedTransaction,
  brandId: number,
  name: string,
): Promise<IssuedFeedToken> {
  await getBrand(tx, brandId);
  const { plaintext, ...made } = newFeedToken();
  const token = await insertFeedToken(tx, { brandId, name, ...made });
  await recordAudit(tx, {
    action: 'feed_token.create',
    brandId,
    resourceType: 'feed_token',
    resourceId: String(token.id),
    details: { name },
  });
  return { token, plaintext };
}

/** Deletes a token, in the caller's transaction; its next request is refused. @throws ApiError `not_found` */
export async function deleteFeedToken(tx: AuditedTransaction, id: number): Promise<void> {
  const token = await deleteFeedTokenRow(tx, id);
  if (token === null) throw notFound();
  await recordAudit(tx, {
    action: 'feed_token.delete',
    brandId: token.brandId,
    resourceType: 'feed_token',
    resourceId: String(id),
    details: { name: token.name },
  });
}
