import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ClientOrigin } from '../api/operation-request.ts';
import { type Network, plainAddress } from '../lib/addresses.ts';

/** The number of addresses whose result is cached. */
const maxRemembered = 1_000;

export class TrustedProxies {
  readonly isEmpty: boolean;
  readonly #networks = new BlockList();
  readonly #remembered = new Map<string, boolean>();

  constructor(networks: readonly Network[]) {
    this.isEmpty = networks.length === 0;
    for (const { address, bits, family } of networks) this.#networks.addSubnet(address, bits, family);
  }

  /** Returns whether a plain address belongs to one of the networks; false for anything that is not an address. */
  trusts(address: string): boolean {
    if (this.isEmpty) return false;
    const remembered = this.#remembered.get(address);
    if (remembered !== undefined) return remembered;
    const version = isIP(address);
    const isTrusted = version !== 0 && this.#networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
    this.#remembered.set(address, isTrusted);
    return isTrusted;
  }
}

interface RequestOrigin extends ClientOrigin {
  /** The path in front of the server's own, such as `/brandport`; usually an empty string. */
  readonly pathPrefix: string;
  /** The scheme and host that the client sees, such as `https://api.example`; null if no proxy says so. */
  readonly base: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's side of the connection [platform-81]. */
    readonly origin: RequestOrigin;
    readOrigin: RequestOrigin | null;
  }
}

export function addRequestOrigin(app: FastifyInstance, proxies: TrustedProxies): void {
  app.decorateRequest('readOrigin', null);
  app.decorateRequest('origin', {
    getter() {
      this.readOrigin ??= originOf(this.raw, proxies);
      return this.readOrigin;
    },
  });
}

/** Adds `origin` to a request that could not be routed: Fastify creates it without decorations. */
export function giveOrigin(request: FastifyRequest, proxies: TrustedProxies): void {
  Object.defineProperty(request, 'origin', { value: originOf(request.raw, proxies) });
}

/** Reads the origin of a request. `X-Forwarded-*` count only on a connection from a trusted proxy [platform-81]. */
export function originOf({ socket, headers }: IncomingMessage, proxies: TrustedProxies): RequestOrigin {
  const peer = plainAddress(socket.remoteAddress ?? '');
  if (!proxies.trusts(peer))
    return { address: peer, pathPrefix: '', base: null, isHttps: false, host: headers.host ?? '' };
  const scheme = /^https?$/.exec(nearest(headers['x-forwarded-proto']))?.[0];
  const host = hostForm.exec(nearest(headers['x-forwarded-host']))?.[0];
  return {
    address: rightmostUntrusted(peer, headers['x-forwarded-for'], proxies),
    pathPrefix: prefixForm.exec(nearest(headers['x-forwarded-prefix']))?.[1] ?? '',
    isHttps: scheme === 'https',
    host: host ?? headers.host ?? '',
    base: scheme === undefined || host === undefined ? null : `${scheme}://${host}`,
  };
}

const hostForm = /^(?=.{1,255}$)(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
/** The address of a server that was started without settings, as guides have it. */
export const localRoot = 'http://127.0.0.1:8080';

/** Returns the address that the client calls, without a slash at its end; `localRoot` if its host is no plain name. */
export function rootUrl({ isHttps, host, pathPrefix }: RequestOrigin): string {
  return hostForm.test(host) ? `http${isHttps ? 's' : ''}://${host}${pathPrefix}` : localRoot;
}

/** Segments of unreserved characters, none of them only dots, without the last slash. */
const prefixForm = /^(?=.{1,255}$)((?:\/(?!\.+(?:\/|$))[A-Za-z0-9._~-]+)+)\/?$/;

/** Returns the value of the nearest proxy, which is the last one. */
function nearest(header: string | string[] | undefined): string {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text.slice(text.lastIndexOf(',') + 1).trim();
}

/**
 * Walks the hops from the nearest one as long as they are trusted. A hop that is not an address ends the walk at the proxy that
 * reported it: nothing to its left can be trusted.
 */
function rightmostUntrusted(
  peer: string,
  header: string | string[] | undefined,
  proxies: TrustedProxies,
): string {
  let client = peer;
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  for (const hop of hops.reverse()) {
    const address = addressOfHop(hop.trim());
    if (address === null) return client;
    client = address;
    if (!proxies.trusts(address)) return client;
  }
  return client;
}

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function addressOfHop(hop: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  const address = plainAddress(bare);
  return isIP(address) === 0 ? null : address;
}
