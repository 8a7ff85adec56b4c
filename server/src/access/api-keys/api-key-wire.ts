import { type Static, Type } from 'typebox';
import { type Scope, scopes } from '../../api/access.ts';
import {
  ExactFilter,
  exampleIds,
  Instant,
  NamedObject,
  Nullable,
  Text,
  Timestamp,
} from '../../api/field-schemas.ts';
import { pageQuery } from '../../api/pagination.ts';
import { sortQuery } from '../../api/sort.ts';
import { parseInstant } from '../../lib/instant.ts';
import { type ApiKey, type ApiKeyChange, maskedApiKey } from './api-key.ts';
import type { ApiKeyRequest, IssuedApiKey } from './api-key-service.ts';
import { type ApiKeyDetail, type KeyState, keySortColumns, keyStates } from './api-key-store.ts';

const nameInput = Text({
  max: 255,
  description: 'A label for the key, such as the system that uses it.',
  examples: ['PIM'],
});

export const CreateApiKeyBody = NamedObject('ApiKeyCreate', {
  name: nameInput,
  scopes: Type.Array(Type.Unsafe<Scope>({ type: 'string', enum: [...scopes] }), {
    minItems: 1,
    description: 'The scopes of the key. Duplicates are merged.',
  }),
  expires_at: Type.Optional(
    Nullable(Instant(), { description: 'The key is rejected from this time on. null or absent: never.' }),
  ),
  replaces_key_id: Type.Optional(
    Nullable(Type.String(), {
      description:
        'The `key_id` of the key that this one replaces. Both keys work until you revoke the old one, and they share their Idempotency-Keys. The old key may be expired but not revoked.',
      examples: ['tuk_76543210fedcba9876543210'],
    }),
  ),
});

export const RotateApiKeyBody = NamedObject('ApiKeyRotate', {
  expires_at: Type.Optional(
    Nullable(Instant(), {
      description:
        'The successor is rejected from this time on. null: never. Absent: same as the predecessor. Required, with a future time, if the predecessor has expired.',
    }),
  ),
});

export const UpdateApiKeyBody = NamedObject('ApiKeyUpdate', {
  name: Type.Optional(nameInput),
  scopes: Type.Optional(
    Type.Array(Type.Unsafe<Scope>({ type: 'string', enum: [...scopes] }), {
      minItems: 1,
      description: 'The scopes that the key keeps. A scope that it does not have is refused.',
    }),
  ),
  expires_at: Type.Optional(
    Nullable(Instant(), { description: 'The key is rejected from this time on. null: never.' }),
  ),
});

export const ApiKeyListQuery = Type.Object({
  q: ExactFilter({
    description:
      'Only keys whose name contains this text, in upper or lower case, or whose public id begins with it.',
    examples: ['pim'],
  }),
  state: Type.Optional(
    Type.Unsafe<KeyState>({
      type: 'string',
      enum: [...keyStates],
      description:
        '`active`: neither revoked nor expired. `expired`: not revoked. `expiring`, `unused` and `overlapping` keys are active: they expire within 30 days, were not used in the last 90 days, or are the newer of two keys of one lineage that both work. `refused`: a request was refused in the last 24 hours. `limited`: has own limits.',
      examples: ['active'],
    }),
  ),
  ...sortQuery(keySortColumns, 'the newest first'),
  ...pageQuery,
});

export const keyIdsQuery = {
  key_id: ExactFilter({
    description: 'Only these keys, by their public ids, comma-separated.',
    examples: [exampleIds.key],
  }),
};

/** Accepts any string, because an id that no key can have is a 404, not a 422. */
export const KeyParams = Type.Object({
  key_id: Type.String({
    description: 'The public id of the key: the part before the dot.',
    examples: [exampleIds.key],
  }),
});

const keyFields = {
  key_id: Type.String({ description: 'The public id: the part before the dot.' }),
  brand_id: Type.Integer(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  masked: Type.String({ description: 'The key without its secret, for display.' }),
  expires_at: Nullable(Timestamp()),
  revoked_at: Nullable(Timestamp()),
  rotated_from_key_id: Nullable(Type.String(), { description: 'The key that this key was rotated from.' }),
  replaces_key_id: Nullable(Type.String(), {
    description: 'The key that this key replaces. Both work until the old one is revoked.',
  }),
  last_used_at: Nullable(Timestamp(), { description: 'Updated with a delay of some seconds.' }),
  last_used_from: Nullable(Type.String(), { description: 'The client’s address at the last use.' }),
  last_refused_at: Nullable(Timestamp(), {
    description:
      'The last 4xx or 5xx of a request with the id of the key, also while it is revoked or expired. Updated with a delay of some seconds.',
  }),
  last_refused_code: Nullable(Type.String(), { description: 'The error code of that response.' }),
  created_at: Timestamp(),
};

export const ApiKeyWire = NamedObject('ApiKey', keyFields);

export const ApiKeyDetailWire = NamedObject('ApiKeyDetail', {
  ...keyFields,
  lineage_key_ids: Type.Array(Type.String(), {
    description:
      'The public ids of all keys that share their Idempotency-Keys with this one, through rotations and replacements: oldest first, this one included, deleted ones left out.',
  }),
  brand_name: Type.String(),
});

export const IssuedApiKeyWire = NamedObject('IssuedApiKey', {
  ...keyFields,
  api_key: Nullable(Type.String(), {
    description: 'The complete key. It is shown only once and never stored: null in a replay.',
  }),
});

export const apiKeyExample: Static<typeof ApiKeyWire> = {
  key_id: 'tuk_0123456789abcdef01234567',
  brand_id: 1,
  name: 'PIM',
  scopes: ['catalog.products:read', 'catalog.products:write'],
  masked: 'tuk_0123456789abcdef01234567.…',
  expires_at: '2027-01-01T00:00:00.000Z',
  revoked_at: null,
  rotated_from_key_id: null,
  replaces_key_id: null,
  last_used_at: null,
  last_used_from: null,
  last_refused_at: null,
  last_refused_code: null,
  created_at: '2026-03-01T08:30:00.000Z',
};

export const apiKeyDetailExample: Static<typeof ApiKeyDetailWire> = {
  ...apiKeyExample,
  lineage_key_ids: [apiKeyExample.key_id],
  brand_name: 'Maison Aurore',
};

export const issuedApiKeyExample: Static<typeof IssuedApiKeyWire> = {
  ...apiKeyExample,
  api_key: 'tuk_0123456789abcdef01234567.ExampleExampleExampleExampleExampleExamp',
};

export function apiKeyRequestFromWire(brandId: number, body: Static<typeof CreateApiKeyBody>): ApiKeyRequest {
  const { name, scopes: named } = body;
  return {
    brandId,
    name,
    scopes: [...new Set(named)],
    expiresAt: expiryFromWire(body) ?? null,
    replacesKeyId: body.replaces_key_id ?? null,
  };
}

/** Returns the expiry of a body: null = never, undefined = absent. */
export function expiryFromWire({ expires_at }: Static<typeof RotateApiKeyBody>): Date | null | undefined {
  return typeof expires_at === 'string' ? parseInstant(expires_at) : expires_at;
}

export function apiKeyChangeFromWire(body: Static<typeof UpdateApiKeyBody>): ApiKeyChange {
  const { name, scopes: named } = body;
  const expiresAt = expiryFromWire(body);
  return {
    ...(name !== undefined && { name }),
    ...(named !== undefined && { scopes: named }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

export function apiKeyToWire(key: ApiKey): Static<typeof ApiKeyWire> {
  return {
    key_id: key.keyId,
    brand_id: key.brandId,
    name: key.name,
    scopes: [...key.scopes],
    masked: maskedApiKey(key.keyId),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    rotated_from_key_id: key.rotatedFromKeyId,
    replaces_key_id: key.replacesKeyId,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_from: key.lastUsedFrom,
    last_refused_at: key.lastRefusedAt?.toISOString() ?? null,
    last_refused_code: key.lastRefusedCode,
    created_at: key.createdAt.toISOString(),
  };
}

export function apiKeyDetailToWire(key: ApiKeyDetail): Static<typeof ApiKeyDetailWire> {
  return { ...apiKeyToWire(key), lineage_key_ids: [...key.lineageKeyIds], brand_name: key.brandName };
}

export function issuedApiKeyToWire({ key, plaintext }: IssuedApiKey): Static<typeof IssuedApiKeyWire> {
  return { ...apiKeyToWire(key), api_key: plaintext };
}
