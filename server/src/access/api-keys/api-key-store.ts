import type { BrandReach, OwnedAccess } from '../../api/access.ts';
import type { Page } from '../../api/pagination.ts';
import { orderOf, type Sort } from '../../api/sort.ts';
import { notFound } from '../../errors/api-error.ts';
import { Conditions, foldedSql } from '../../postgres/conditions.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type ApiKey, isKeyId } from './api-key.ts';

const apiKeyColumns = `brand_id as "brandId", key_id as "keyId", lineage_id as "lineageId", name, scopes,
  expires_at as "expiresAt", revoked_at as "revokedAt", rotated_from_key_id as "rotatedFromKeyId",
  replaces_key_id as "replacesKeyId", last_used_at as "lastUsedAt", last_used_from as "lastUsedFrom",
  last_refused_at as "lastRefusedAt", last_refused_code as "lastRefusedCode", own_limits as "ownLimits",
  created_at as "createdAt"`;

interface ApiKeyInsert
  extends Pick<
    ApiKey,
    'brandId' | 'keyId' | 'name' | 'scopes' | 'expiresAt' | 'rotatedFromKeyId' | 'replacesKeyId' | 'ownLimits'
  > {
  readonly secretSha256: Buffer;
  /** null: the key begins a new lineage. */
  readonly lineageId: number | null;
}

export async function insertApiKey(tx: Transaction, key: ApiKeyInsert): Promise<ApiKey> {
  const rows = await tx.run(
    statement<ApiKey>(
      'insert_api_key',
      // The id is generated first, because the first key of a lineage refers to itself.
      `with next as (select nextval(pg_get_serial_sequence('api_keys', 'id')) as id)
       insert into api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes, expires_at,
         rotated_from_key_id, replaces_key_id, own_limits)
       overriding system value
       select $1, id, $2, coalesce($3::bigint, id), $4, $5, $6, $7, $8, $9, $10::jsonb from next
       returning ${apiKeyColumns}`,
      [
        key.brandId,
        key.keyId,
        key.lineageId,
        key.secretSha256,
        key.name,
        key.scopes,
        key.expiresAt,
        key.rotatedFromKeyId,
        key.replacesKeyId,
        key.ownLimits,
      ],
    ),
  );
  return rows[0] as ApiKey;
}

/** Reads a key and locks it against changes and deletion until the transaction ends. */
export async function lockApiKey(tx: Transaction, keyId: string): Promise<ApiKey | null> {
  const rows = await tx.run(
    statement<ApiKey>('lock_api_key', `select ${apiKeyColumns} from api_keys where key_id = $1 for update`, [
      keyId,
    ]),
  );
  return rows[0] ?? null;
}

export async function setApiKeyRevoked(tx: Transaction, { brandId, keyId }: ApiKey): Promise<ApiKey> {
  const rows = await tx.run(
    statement<ApiKey>(
      'set_api_key_revoked',
      `update api_keys set revoked_at = now_ms()
       where brand_id = $1 and key_id = $2
       returning ${apiKeyColumns}`,
      [brandId, keyId],
    ),
  );
  return rows[0] as ApiKey;
}

/** Writes the name, scopes and expiry of a key. */
export async function updateApiKeyRow(tx: Transaction, key: ApiKey): Promise<void> {
  await tx.run(
    statement<never>(
      'update_api_key',
      'update api_keys set name = $3, scopes = $4, expires_at = $5 where brand_id = $1 and key_id = $2',
      [key.brandId, key.keyId, key.name, key.scopes, key.expiresAt],
    ),
  );
}

export async function deleteApiKeyRow(tx: Transaction, { brandId, keyId }: ApiKey): Promise<void> {
  await tx.run(
    statement<never>('delete_api_key', 'delete from api_keys where brand_id = $1 and key_id = $2', [
      brandId,
      keyId,
    ]),
  );
}

export interface ApiKeyDetail extends ApiKey {
  /** The public ids of all keys of the lineage that are not deleted, oldest first; this one included. */
  readonly lineageKeyIds: readonly string[];
  readonly brandName: string;
}

/** The columns of `api_keys k`, with its lineage and brand. */
const detailColumns = `${apiKeyColumns},
  array(
    select l.key_id from api_keys l where l.brand_id = k.brand_id and l.lineage_id = k.lineage_id order by l.id
  ) as "lineageKeyIds",
  (select b.name from brands b where b.id = k.brand_id) as "brandName"`;

/** @throws ApiError `not_found` */
export async function getApiKey(database: Queryable, keyId: string): Promise<ApiKeyDetail> {
  const rows = isKeyId(keyId)
    ? await database.run(
        statement<ApiKeyDetail>(
          'get_api_key',
          `select ${detailColumns} from api_keys k where k.key_id = $1`,
          [keyId],
        ),
      )
    : [];
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}

/** Access to operations that name an API key as `:key_id`, by its public id or as a whole. */
export const ownedKey: OwnedAccess = {
  findBrandId: async (database, { key_id: given = '' }) => {
    const [keyId = ''] = given.split('.', 1);
    if (!isKeyId(keyId)) return null;
    const rows = await database.run(
      statement<{ brandId: number }>(
        'find_brand_of_key',
        'select brand_id as "brandId" from api_keys where key_id = $1',
        [keyId],
      ),
    );
    return rows[0]?.brandId ?? null;
  },
};

const isValid = (now: string) => `k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`;

/**
 * Returns the condition that an older key of the lineage of `api_keys k` works as well: the key that it replaces, or a successor
 * of that by rotation. `now` is the parameter of the current time.
 */
export function isSecondOfLineage(now: string): string {
  return `exists (
    select from api_keys p
    where p.brand_id = k.brand_id and p.lineage_id = k.lineage_id and p.id < k.id
      and p.revoked_at is null and (p.expires_at is null or p.expires_at > ${now}::timestamptz)
  )`;
}

/** The condition of each state, on `api_keys k`; `now` is the parameter of the current time. */
const conditions = {
  active: isValid,
  expiring: (now: string) => `${isValid(now)} and k.expires_at <= ${now}::timestamptz + interval '30 days'`,
  expired: (now: string) => `k.revoked_at is null and k.expires_at <= ${now}`,
  revoked: () => 'k.revoked_at is not null',
  unused: (now: string) =>
    `${isValid(now)} and greatest(k.created_at, k.last_used_at) <= ${now}::timestamptz - interval '90 days'`,
  refused: (now: string) => `k.last_refused_at > ${now}::timestamptz - interval '24 hours'`,
  limited: () => 'k.own_limits is not null',
  overlapping: (now: string) => `${isValid(now)} and ${isSecondOfLineage(now)}`,
} as const;

export type KeyState = keyof typeof conditions;

export const keyStates = Object.keys(conditions) as readonly KeyState[];

export const keySortColumns = {
  name: `${foldedSql('k.name')}`,
  created_at: 'k.created_at',
  expires_at: 'k.expires_at',
  last_used_at: 'k.last_used_at',
  last_refused_at: 'k.last_refused_at',
} as const;

type KeySort = Sort<keyof typeof keySortColumns>;

interface ApiKeyFilter {
  readonly brandId?: number | undefined;
  /** null: all. */
  readonly brandIds?: BrandReach;
  readonly state?: KeyState | undefined;
  /** A part of the name in upper or lower case, or the start of the public id. */
  readonly search?: string | undefined;
  readonly keyIds?: readonly string[] | undefined;
  readonly now: Date;
}

/** Lists one page of the keys that match, newest first unless sorted, and counts all. A search reads all keys. */
export function listApiKeys(
  database: Queryable,
  { brandId, brandIds = null, state, search, keyIds, now }: ApiKeyFilter,
  page: Page,
  sort?: KeySort,
): Promise<{ rows: ApiKeyDetail[]; total: number }> {
  const where = new Conditions([], []);
  where.add('_of_brand', (id) => `k.brand_id = ${id}`, brandId);
  where.addBrands('k.brand_id', brandIds);
  if (state === 'revoked' || state === 'limited') where.addFixed(`_${state}`, conditions[state]());
  else if (state !== undefined) where.add(`_${state}`, (at) => conditions[state](`${at}::timestamptz`), now);
  const named = (text: string) =>
    `(strpos(${foldedSql('k.name')}, ${foldedSql(`${text}::text`)}) > 0 or starts_with(k.key_id, ${text}))`;
  where.add('_search', named, search);
  where.add('_keys', (ids) => `k.key_id = any(${ids}::text[])`, keyIds);
  const { code, orderBy } = orderOf(keySortColumns, sort, 'k.id desc');
  const list = {
    name: `api_keys${where.code}${code}`,
    columns: detailColumns,
    from: 'api_keys k',
    where,
    orderBy,
  };
  return readPage(database, list, page);
}

/** The periods for which expiring keys are counted, ascending. */
export const expiryWindows = ['1d', '7d', '30d'] as const;
type ExpiryWindow = (typeof expiryWindows)[number];

/** Counts the keys of all brands that work now and expire within each period, by the index `api_keys_by_expiry`. */
export async function countExpiringKeys(
  database: Queryable,
): Promise<Readonly<Record<ExpiryWindow, number>>> {
  const rows = await database.run(
    statement<Record<ExpiryWindow, number>>(
      'count_expiring_keys',
      `select count(*) filter (where expires_at < now_ms() + interval '1 day') as "1d",
         count(*) filter (where expires_at < now_ms() + interval '7 days') as "7d",
         count(*) as "30d"
       from api_keys
       where revoked_at is null and expires_at >= now_ms() and expires_at < now_ms() + interval '30 days'`,
      [],
      { long: true },
    ),
  );
  return rows[0] ?? { '1d': 0, '7d': 0, '30d': 0 };
}
