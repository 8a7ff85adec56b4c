import { type Static, Type } from 'typebox';
import { Timestamp } from '../../api/field-schemas.ts';

/** The most refusals that a key sees. */
export const mostShown = 50;

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

export type OwnRefusal = Static<typeof OwnRefusalWire>;

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
