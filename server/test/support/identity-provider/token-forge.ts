import { type KeyObject, sign } from 'node:crypto';

/** The claims and the signing of an ID token. */
export interface TokenParts {
  readonly header: Record<string, unknown>;
  readonly claims: Record<string, unknown>;
  readonly key: KeyObject;
}

/** Decodes a signed token. */
export function decodeToken(token: string): Pick<TokenParts, 'header' | 'claims'> {
  const [header = '', claims = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  return { header: read(header), claims: read(claims) };
}

/** Signs a token by RS256; with the algorithm `none`, leaves the signature out. */
export function encodeToken({ header, claims, key }: TokenParts): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  if (header['alg'] === 'none') return `${signed}.`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}
