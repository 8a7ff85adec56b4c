import type { FieldErrors } from '../../errors/api-error.ts';

/** Why a key was refused with 401. */
export const refusalReasons = ['revoked', 'expired', 'deleted', 'wrong_secret'] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** A request with the id of a key that was answered with 4xx or 5xx. */
export interface Refusal {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly requestId: string;
  readonly keyId: string;
  /** The operationId; null: the path has none. */
  readonly operation: string | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly code: string;
  /** null: the key was valid, or nobody looked. */
  readonly reason: RefusalReason | null;
  /** The names of the fields at fault, never their values. */
  readonly fields: readonly string[];
  /** The message of the response; null: there was no error to name. */
  readonly message: string | null;
  /** The messages of the fields at fault. */
  readonly errors: FieldErrors;
  /** The scopes of which the key needs one; empty unless the status is 403. */
  readonly requiredScopes: readonly string[];
  /** An empty string is stored as null. */
  readonly address: string;
}

export interface PendingRefusal extends Refusal {
  /** The start of the minute whose refusals share the row; null: the row has this one only. */
  readonly minute: number | null;
  count: number;
}

const mostFields = 20;
const mostCharacters = 255;
const secrets = /(tuk_[0-9a-f]{24}\.|bpa_[0-9a-f]{24}\.|cfk_)[A-Za-z0-9]+/g;

export function storedNames(names: readonly string[]): string[] {
  return names.slice(0, mostFields).map(storedText);
}

/** Keeps the first messages of the fields that `storedNames` keeps. */
export function storedErrors(errors: FieldErrors): FieldErrors {
  const kept = Object.entries(errors).slice(0, mostFields);
  return Object.fromEntries(
    kept.map(([name, messages]) => [storedText(name), messages.slice(0, 3).map(storedText)]),
  );
}

/** Makes a string that a client chose fit to be stored: PostgreSQL takes no NUL, and nobody needs a secret in it. */
export function storedText(text: string): string {
  const stored = text
    .slice(0, 4 * mostCharacters)
    .toWellFormed()
    .replaceAll('\0', '\uFFFD');
  return stored.replace(secrets, '$1…').slice(0, mostCharacters).toWellFormed();
}
