/** The client's side of a connection, as far as it decides about cookies. */
export interface CookieGround {
  /** True if the browser's connection is encrypted, as a trusted proxy says. */
  readonly isHttps: boolean;
}

interface NewCookie {
  readonly name: string;
  /** Hexadecimal or empty, so nothing has to be encoded. */
  readonly value: string;
  /** `Lax`: also sent when another site leads the browser here. */
  readonly sameSite: 'Strict' | 'Lax';
  /** 0: the browser deletes it. */
  readonly lifeMs: number;
}

/** Builds the header that sets a cookie, which scripts cannot read. */
export function setCookie(ground: CookieGround, { name, value, sameSite, lifeMs }: NewCookie): string {
  const secure = ground.isHttps ? '; Secure' : '';
  return `${nameOn(ground, name)}=${value}; Max-Age=${lifeMs / 1000}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** Returns the first cookie of the name; null if there is none, or if it is empty. */
export function findCookie(ground: CookieGround, name: string, header: string | undefined): string | null {
  const start = `${nameOn(ground, name)}=`;
  const pair = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  return pair === undefined || pair === start ? null : pair.slice(start.length);
}

/** A browser refuses a name with this prefix without `Secure` and with a `Domain`, so no other host can set that cookie. */
function nameOn({ isHttps }: CookieGround, name: string): string {
  return isHttps ? `__Host-${name}` : name;
}
