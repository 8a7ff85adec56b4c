import type { Caller } from '../../api/access.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { mostShown, type OwnRefusal } from './own-refusals-wire.ts';

/**
 * Returns the field of the response; empty, and without a statement, unless it was asked for. What somebody sent with a wrong
 * secret is not the key's. Each key is one range of an index.
 */
export async function readOwnRefusals(
  database: Queryable,
  { brandId, keyId }: Pick<Caller, 'brandId' | 'keyId'>,
  include: string | undefined,
): Promise<{ refusals?: OwnRefusal[] }> {
  if (include === undefined) return {};
  const rows = await database.run(
    statement<Omit<OwnRefusal, 'at'> & { at: Date }>(
      'list_own_refusals',
      `with recursive own as (
         select $2::text as key_id
         union
         select k.rotated_from_key_id from own join api_keys k on k.key_id = own.key_id
         where k.brand_id = $1 and k.rotated_from_key_id is not null
       )
       select f.at, f.request_id, f.method, f.path, f.status, f.code, f.fields, f.count
       from own cross join lateral (
         select r.at, r.id, r.request_id, r.method, r.path, r.status, r.code, r.fields, r.count
         from refusals r
         where r.brand_id = $1 and r.key_id = own.key_id and r.reason is distinct from 'wrong_secret'
         order by r.at desc, r.id desc limit ${mostShown}
       ) as f
       order by f.at desc, f.id desc limit ${mostShown}`,
      [brandId, keyId],
    ),
  );
  return { refusals: rows.map(({ at, ...row }) => ({ at: at.toISOString(), ...row })) };
}
