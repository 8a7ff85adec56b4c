import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returns whether the text is a URL; false also when its credentials are broken: by their percent-encoding, or by a `#`. */
export function isUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  // In a password `12#3`, the first digits would be the port, and the rest a fragment.
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

/** The form in which addresses are compared and shown: no IPv4 prefix of an IPv6 socket, and no zone. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const zone = address.indexOf('%');
  const withoutZone = zone === -1 ? address : address.slice(0, zone);
  const mapped = /^::ffff:([\d.]+)$/i.exec(withoutZone)?.[1];
  return mapped !== undefined && isIPv4(mapped) ? mapped : withoutZone;
}

/** Returns what rate limits count: IPv4 addresses whole, IPv6 addresses by their /64, the least that a client has for itself. */
export function countedNetwork(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const groups = ipaddr.IPv6.parse(plain).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** A network in CIDR notation. */
export interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address. Returns null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [address = '', suffix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return null;
  const width = version === 4 ? 32 : 128;
  if (suffix !== undefined && !/^\d{1,3}$/.test(suffix)) return null;
  const bits = suffix === undefined ? width : Number(suffix);
  return bits > width ? null : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}
