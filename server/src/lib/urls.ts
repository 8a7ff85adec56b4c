/** Returns whether the text is a URL; false also when its credentials are broken: by their percent-encoding, or by a `#`. */
export function isUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  // Of a password `12#3`, the first digits are taken for the port, and the rest is a fragment.
  if (hash.includes('@')) return false;
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

const escapes: Readonly<Record<string, string>> = { '#': '%23', '/': '%2F', '?': '%3F', '%': '%25' };
const unescaped = /^[a-z][a-z+.-]*:\/\/[^:@/?#]*:(?:[^@/?#%]|%[\da-f]{2})*([/?#%]).*@/is;

/** Returns the end of a sentence about a URL that is refused because of a character of its password; empty for other reasons. */
export function passwordHint(text: string): string {
  const [, character] = unescaped.exec(text) ?? [];
  return character === undefined
    ? ''
    : `; a \`${character}\` in the password must be written \`${escapes[character]}\``;
}

/** Returns whether the host of a URL is this machine, by its name or address. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost|.+\.localhost)$/.test(hostname);
}

// Greedy: a password may contain an unescaped `/` or `@`.
const form = /^([a-z][a-z+.-]*:\/\/)(?:.*@)?([^?#]*)(?:\?([^#]*))?/is;
/** Parameters of a database's URL that name its server; any other may be a secret. */
const shownParameters = ['host', 'port', 'sslmode'];

/** Returns a URL without user, password, fragment and most parameters. */
export function shownAddress(text: string): string {
  const [, scheme, rest, query = ''] = form.exec(text) ?? [];
  if (scheme === undefined) return text;
  const shown = [...new URLSearchParams(query)].filter(([name]) => shownParameters.includes(name));
  const parameters = shown.map(([name, value]) => `${name}=${value}`).join('&');
  return `${scheme}${rest}${parameters === '' ? '' : `?${parameters}`}`;
}
