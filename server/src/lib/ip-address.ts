import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

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
