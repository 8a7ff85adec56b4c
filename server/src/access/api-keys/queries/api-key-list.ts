import type { Page } from '../../../api/pagination.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import {
  type ApiKeyDetail,
  type ApiKeyDetailRow,
  apiKeyDetailColumns,
  apiKeyDetailFromRow,
} from './api-key-detail.ts';

export const keyStates = ['active', 'expired', 'revoked'] as const;
/** A revoked key counts as revoked, even if it has expired since. */
export type KeyState = (typeof keyStates)[number];

export interface ApiKeyFilter {
  readonly brandId: number;
  readonly state?: KeyState | undefined;
  readonly now: Date;
}

/** Lists one page of the brand's keys that match the filter, newest first, and counts all. */
export async function listApiKeys(
  database: Queryable,
  { brandId, state, now }: ApiKeyFilter,
  page: Page,
): Promise<{ keys: ApiKeyDetail[]; total: number }> {
  const code = state === undefined ? '' : `_${state}`;
  const values: unknown[] = state === 'active' || state === 'expired' ? [brandId, now] : [brandId];
  const matches = `from api_keys k where k.brand_id = $1 ${state === undefined ? '' : `and ${conditions[state]}`}`;
  const [size, offset] = [`$${values.length + 1}`, `$${values.length + 2}`];
  const [rows, counts] = await Promise.all([
    database.run(
      statement<ApiKeyDetailRow>(
        `list_api_keys${code}`,
        `select ${apiKeyDetailColumns} ${matches} order by k.id desc limit ${size} offset ${offset}`,
        [...values, page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(`count_api_keys${code}`, `select count(*) as total ${matches}`, values, {
        long: true,
      }),
    ),
  ]);
  return { keys: rows.map(apiKeyDetailFromRow), total: counts[0]?.total ?? 0 };
}

/** `$2` is the current time. */
const conditions: Readonly<Record<KeyState, string>> = {
  active: 'k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)',
  expired: 'k.revoked_at is null and k.expires_at <= $2',
  revoked: 'k.revoked_at is not null',
};
