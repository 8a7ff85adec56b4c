import { type Static, Type } from 'typebox';
import type { InternalCaller } from '../../api/access.ts';
import { Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import { RoleWire } from '../administrators/administrator-wire.ts';

export const CreateConsoleSessionBody = Type.Object({
  token: Text({
    max: 512,
    description: 'The admin token, or the token of an administrator.',
    examples: ['an-admin-token-of-32-characters-or-more'],
  }),
});

export const ConsoleSessionWire = Type.Object({
  actor: Type.String({
    description:
      'The caller, as in the audit: `admin-token`, the id of an administrator, or the user of a single sign-on with the issuer.',
  }),
  actor_name: Nullable(Type.String(), { description: 'The name of the caller, if it has one.' }),
  role: RoleWire,
  brand_ids: Nullable(Type.Array(Type.Integer()), {
    description: 'The brands that the caller may see. null: all.',
  }),
  expires_at: Nullable(Timestamp(), {
    description:
      'The end of the session. It ends earlier after 60 minutes without a request. null without a session, with a bearer token.',
  }),
});

export const SignInMethodsWire = Type.Object({
  single_sign_on: Nullable(
    Type.Object({ issuer: Type.String({ description: 'The identity provider, as configured.' }) }),
    { description: 'null: not configured.' },
  ),
});

export const signInMethodsExample: Static<typeof SignInMethodsWire> = { single_sign_on: null };

export const consoleSessionExample: Static<typeof ConsoleSessionWire> = {
  actor: 'admin-token',
  actor_name: null,
  role: 'administrator',
  brand_ids: null,
  expires_at: '2026-03-01T20:30:00.000Z',
};

export function consoleSessionToWire(caller: InternalCaller): Static<typeof ConsoleSessionWire> {
  return {
    actor: caller.actor,
    actor_name: caller.actorName,
    role: caller.role,
    brand_ids: caller.brandIds === null ? null : [...caller.brandIds],
    expires_at: caller.session?.expiresAt.toISOString() ?? null,
  };
}
