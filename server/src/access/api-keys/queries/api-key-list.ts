import type { Page } from '../../../api/pagination.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { Conditions, readPage } from '../../../postgres/read-page.ts';
import { type ApiKeyDetail, apiKeyDetailColumns } from './api-key-detail.ts';

export const keyStates = ['active', 'expired', 'revoked'] as const;
/** A revoked key counts as revoked, even if it has expired since. */
export type KeyState = (typeof keyStates)[number];

export interface ApiKeyFilter {
  readonly brandId: number;
  readonly state?: KeyState | undefined;
  readonly keyId?: string | undefined;
  readonly now: Date;
}

export function listApiKeys(
  database: Queryable,
  { brandId, state, keyId, now }: ApiKeyFilter,
  page: Page,
): Promise<{ rows: ApiKeyDetail[]; total: number }> {
  const where = new Conditions(['k.brand_id = $1'], [brandId]);
  if (state === 'revoked') where.addFixed('_revoked', 'k.revoked_at is not null');
  else if (state !== undefined) where.add(`_${state}`, conditions[state], now);
  if (keyId !== undefined) where.add('_key', (id) => `k.key_id = ${id}`, keyId);
  const list = { name: `api_keys${where.code}`, columns: apiKeyDetailColumns, from: 'api_keys k', where };
  return readPage(database, { ...list, orderBy: 'k.id desc' }, page);
}

/** The conditions that depend on the current time. */
const conditions = {
  active: (now: string) => `k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`,
  expired: (now: string) => `k.revoked_at is null and k.expires_at <= ${now}`,
};
