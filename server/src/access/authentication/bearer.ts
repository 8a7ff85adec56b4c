/** Why a request was refused: for the metrics, never for the client [platform-3]. */
export type AuthenticationFailure =
  | 'missing'
  | 'malformed'
  | 'feed_token'
  | 'api_key'
  | 'unknown'
  | 'wrong_secret'
  | 'revoked'
  | 'expired'
  | 'cookie_refused'
  | 'session_ended';

export interface ApiKeyCredentials {
  readonly keyId: string;
  readonly secret: string;
}

const bearer = /^bearer +(\S+) *$/i;
const apiKey = /^(tuk_[0-9a-f]{24})\.([A-Za-z0-9]{40})$/;

/** Returns the token of the single `Authorization: Bearer` header. Several are malformed (Node would keep the first). */
export function bearerToken(
  rawHeaders: readonly string[],
): { token: string } | { failure: AuthenticationFailure } {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization')
      values.push(rawHeaders[i + 1] as string);
  }
  if (values.length === 0) return { failure: 'missing' };
  const token = values.length === 1 ? bearer.exec(values[0] as string)?.[1] : undefined;
  return token === undefined ? { failure: 'malformed' } : { token };
}

/** Reads `tuk_<24 hex>.<40 characters>` [platform-1]. */
export function parseApiKey(token: string): ApiKeyCredentials | { failure: AuthenticationFailure } {
  if (token.startsWith('cfk_')) return { failure: 'feed_token' };
  const match = apiKey.exec(token);
  return match === null
    ? { failure: 'malformed' }
    : { keyId: match[1] as string, secret: match[2] as string };
}
