/** Returns whether the text is a URL; false also when the percent-encoding of its credentials is broken. */
export function isUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
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
