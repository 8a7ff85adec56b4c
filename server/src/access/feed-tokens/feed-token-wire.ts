import { type Static, Type } from 'typebox';
import { Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import { type FeedToken, maskedFeedToken } from './feed-token.ts';
import type { IssuedFeedToken } from './feed-token-service.ts';

export const CreateFeedTokenBody = Type.Object({
  name: Text({
    max: 255,
    description: 'A label for the token, such as the system that uses it.',
    examples: ['ERP'],
  }),
});

/** Accepts any string, because a non-numeric id is a 404, not a 422. */
export const FeedTokenParams = Type.Object({
  id: Type.String({ description: 'Id of the feed token, an integer.', examples: ['1'] }),
});

export const FeedTokenWire = Type.Object({
  id: Type.Integer(),
  brand_id: Type.Integer(),
  name: Type.String(),
  masked: Type.String({ description: 'The token, masked except for its last four characters.' }),
  last_used_at: Nullable(Timestamp()),
  last_used_from: Nullable(Type.String(), { description: 'The client’s address at the last use.' }),
  created_at: Timestamp(),
});

export const IssuedFeedTokenWire = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  token: Nullable(Type.String(), {
    description: 'The complete token. It is shown only once and never stored: null in a replay.',
  }),
});

export const feedTokenExample: Static<typeof FeedTokenWire> = {
  id: 1,
  brand_id: 1,
  name: 'ERP',
  masked: 'cfk_…Z4q9',
  last_used_at: null,
  last_used_from: null,
  created_at: '2026-03-01T08:30:00.000Z',
};

export const issuedFeedTokenExample: Static<typeof IssuedFeedTokenWire> = {
  id: 1,
  name: 'ERP',
  token: 'cfk_ExampleExampleExampleExampleExampleEZ4q9',
};

export function feedTokenToWire(token: FeedToken): Static<typeof FeedTokenWire> {
  return {
    id: token.id,
    brand_id: token.brandId,
    name: token.name,
    masked: maskedFeedToken(token.hint),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    last_used_from: token.lastUsedFrom,
    created_at: token.createdAt.toISOString(),
  };
}

export function issuedFeedTokenToWire({
  token,
  plaintext,
}: IssuedFeedToken): Static<typeof IssuedFeedTokenWire> {
  return { id: token.id, name: token.name, token: plaintext };
}
