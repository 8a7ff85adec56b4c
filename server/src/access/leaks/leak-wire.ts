import { type Static, Type } from 'typebox';
import { exampleIds } from '../../api/example-ids.ts';
import { Nullable } from '../../api/field-schemas.ts';
import { maxMentions } from './find-mentions.ts';
import { type Leak, leakKinds, leakStates } from './leak.ts';

export const FindLeaksBody = Type.Object({
  text: Type.String({
    description: `Any text, such as a log or a message, with at most ${maxMentions} different keys and tokens.`,
  }),
  revoke: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'true: revokes each API key, and deletes each token, whose real secret the text contains; tokens of administrators only if an administrator asks.',
    }),
  ),
});

const LeakWire = Type.Object({
  kind: Type.String({
    enum: [...leakKinds],
    description: '`admin_token`: the configured one, which is replaced in the configuration only.',
  }),
  id: Type.Unsafe<string | number | null>({
    type: ['string', 'integer', 'null'],
    description:
      'The `key_id` of an API key, the `id` of a token. null: the text has a token that is not stored.',
  }),
  brand_id: Nullable(Type.Integer()),
  name: Nullable(Type.String()),
  state: Type.String({
    enum: [...leakStates],
    description:
      'The state after this request. `unknown`: no such id. `deleted`: this request deleted the token, or no such feed token.',
  }),
  secret_matches: Nullable(Type.Boolean(), {
    description:
      'true: the text contains the real secret. false: it contains another one. null: it contains the id only.',
  }),
  revoked: Type.Boolean({ description: 'true: this request revoked the key or deleted the token.' }),
});

export const LeakListWire = Type.Object({ data: Type.Array(LeakWire) });

export const leakListExample: Static<typeof LeakListWire> = {
  data: [
    {
      kind: 'api_key',
      id: exampleIds.key,
      brand_id: 1,
      name: 'PIM',
      state: 'active',
      secret_matches: null,
      revoked: false,
    },
  ],
};

export function leakToWire(leak: Leak): Static<typeof LeakWire> {
  const { kind, id, brandId, name, state, secretMatches, isRevoked } = leak;
  return { kind, id, brand_id: brandId, name, state, secret_matches: secretMatches, revoked: isRevoked };
}
