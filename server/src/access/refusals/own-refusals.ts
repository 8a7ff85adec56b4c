import { type Static, Type } from 'typebox';
import type { Caller } from '../../api/access.ts';
import { Timestamp } from '../../api/field-schemas.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** The most refusals that a key sees. */
const mostShown = 50;

/** The parameter of `/status` with which a key sees its own refusals [platform-96]. */
export const includeQuery = {
  include: Type.Optional(
    Type.String({
      enum: ['refusals'],
      description: `\`refusals\` adds the last ${mostShown} refused requests of the key.`,
      examples: ['refusals'],
    }),
  ),
};

const OwnRefusalWire = Type.Object({
  at: Timestamp({ description: 'When the request was answered; of several, the first.' }),
  request_id: Type.String({ description: 'The `X-Request-Id` of the response; of several, of the first.' }),
  method: Type.String(),
  path: Type.String({ description: 'The path as it was sent, without the query, cut at 255 characters.' }),
  status: Type.Integer(),
  code: Type.String({ description: 'The error code.' }),
  fields: Type.Array(Type.String(), {
    description: 'The names of the fields at fault, at most 20, never their values.',
  }),
  count: Type.Integer({
    minimum: 1,
    description:
      'The requests that the entry counts: those of a minute and code for 401 and 429, otherwise 1.',
  }),
});

/** The field of `/status` for them. */
export const ownRefusalsField = {
  refusals: Type.Optional(
    Type.Array(OwnRefusalWire, {
      description: `With \`include=refusals\`: the last ${mostShown} refused requests of this key and of the keys that it was rotated from, newest first. They appear within a second or two.`,
    }),
  ),
};

type OwnRefusal = Static<typeof OwnRefusalWire>;

export const ownRefusalExample: OwnRefusal = {
  at: '2026-03-01T08:30:00.118Z',
  request_id: '3c1c7f0e-8c55-4b39-9a53-1f7f1e6f4b0a',
  method: 'POST',
  path: '/v1/client/catalog/products',
  status: 422,
  code: 'validation_failed',
  fields: ['price_value', 'sku'],
  count: 1,
};

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
