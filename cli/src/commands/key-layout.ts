import { type ApiKey, type IssuedApiKey, type Scope, scopes } from '@brandport/client/admin';
import type { CliContext } from '../context/cli-context.ts';
import { CliError, UsageError } from '../errors/cli-error.ts';
import type { ItemLayout } from '../output/output.ts';

/** Reads comma-separated scopes, or `all`. @throws UsageError that lists all scopes */
export function parseScopes(text: string): readonly Scope[] {
  if (text === 'all') return scopes;
  return text.split(',').map((part) => {
    const scope = scopes.find((known) => known === part.trim());
    if (scope === undefined)
      throw new UsageError(`There is no scope '${part.trim()}'. Scopes: all, ${scopes.join(', ')}.`);
    return scope;
  });
}

/** Returns the word `all` for all scopes. */
export function shownScopes(of: readonly string[]): readonly string[] | 'all' {
  return scopes.every((scope) => of.includes(scope)) ? 'all' : of;
}

/** Checks the id of a key before it is part of a path. @throws UsageError */
export function checkedKeyId(text: string): string {
  if (!/^tuk_[0-9a-f]{24}$/.test(text))
    throw new UsageError(`'${text}' is not the id of a key, such as tuk_0123456789abcdef01234567.`);
  return text;
}

/** Returns the state of a key at a time in milliseconds. */
export function stateOf({ revoked_at, expires_at }: ApiKey, now: number): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active';
}

export const keyLayout: ItemLayout<ApiKey> = {
  id: ({ key_id }) => key_id,
  fields: (key) => [
    ['key', key.key_id],
    ['brand', key.brand_id],
    ['name', key.name],
    ['state', stateOf(key, Date.now())],
    ['scopes', shownScopes(key.scopes)],
    ['expires', key.expires_at],
    ['last used', key.last_used_at],
    ['last refused', key.last_refused_at],
    ['refused with', key.last_refused_code],
  ],
};

/**
 * Writes a key with its plaintext, which the service shows only once. With `--quiet`, the plaintext alone.
 * @throws CliError if the response with the plaintext was lost, and a retry found only the key
 */
export function writeIssuedKey({ output, tell }: CliContext, key: IssuedApiKey): void {
  const { api_key: plaintext, key_id } = key;
  if (plaintext === null)
    throw new CliError(
      `The key ${key_id} was created, but the connection broke before its secret arrived. Get another secret with \`brandport keys rotate ${key_id}\`.`,
    );
  output.item(key, {
    id: () => plaintext,
    fields: (issued) => [...(keyLayout.fields?.(issued) ?? []), ['API key', plaintext]],
  });
  tell(`The key is shown only this once. Keep it where the system '${key.name}' reads it.`);
}
