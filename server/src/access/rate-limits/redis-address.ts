import { isUrl } from '../../lib/urls.ts';

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** Where the counters are kept: one server, the master that Sentinels name, or the masters of a cluster. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | ({
      readonly kind: 'sentinel';
      /** The name under which the Sentinels monitor the master. */
      readonly name: string;
      readonly database: number;
      /** The credentials of the Sentinels themselves, which have their own. */
      readonly sentinels: Credentials;
    } & Nodes)
  | ({ readonly kind: 'cluster' } & Nodes);

export interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

interface Nodes {
  /** At least one: Sentinels, or some members of the cluster. */
  readonly nodes: readonly RedisNode[];
  readonly tls: boolean;
  /** The credentials of the servers that count. */
  readonly credentials: Credentials;
}

const defaultPorts = { sentinel: 26_379, cluster: 6_379 } as const;
const severalHosts =
  /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const oneHost = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/;

/**
 * Reads `redis://`, `rediss://` and `unix://` addresses of one server, and those of several:
 * `redis+sentinel://[user:password@]host[:port],…/name[/database][?sentinel_username=…&sentinel_password=…]` and
 * `redis+cluster://[user:password@]host[:port],…`; `rediss+…` uses TLS. Returns null if it is none of them.
 */
export function parseRedisAddress(text: string): RedisAddress | null {
  const match = severalHosts.exec(text);
  if (match === null) return isServerUrl(text) ? { kind: 'server', url: text } : null;
  const [, scheme, kind, userInfo, hosts = '', path, query] = match;
  try {
    const nodes = parseNodes(hosts, kind as keyof typeof defaultPorts);
    const credentials = parseCredentials(userInfo);
    if (nodes === null) return null;
    const shared = { nodes, tls: scheme === 'rediss', credentials };
    if (kind === 'cluster') return path || query ? null : { kind, ...shared };
    const place = parsePlace(path ?? '');
    const sentinels = parseSentinelCredentials(query ?? '');
    return place === null || sentinels === null ? null : { kind: 'sentinel', ...shared, ...place, sentinels };
  } catch {
    // Broken percent-encoding.
    return null;
  }
}

function parseNodes(hosts: string, kind: keyof typeof defaultPorts): RedisNode[] | null {
  const nodes = hosts.split(',').map((text) => {
    const [, host = '', port = String(defaultPorts[kind])] = oneHost.exec(text) ?? [];
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  });
  return nodes.every(({ host, port }) => host !== '' && port >= 1 && port <= 65_535) ? nodes : null;
}

/** @throws URIError */
function parseCredentials(userInfo: string | undefined): Credentials {
  if (userInfo === undefined) return {};
  const colon = userInfo.indexOf(':');
  const username = decodeURIComponent(colon < 0 ? userInfo : userInfo.slice(0, colon));
  const password = colon < 0 ? '' : decodeURIComponent(userInfo.slice(colon + 1));
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) };
}

/** @throws URIError */
function parsePlace(path: string): { name: string; database: number } | null {
  const [, name, database = '0'] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(path) ?? [];
  return name === undefined ? null : { name: decodeURIComponent(name), database: Number(database) };
}

function parseSentinelCredentials(query: string): Credentials | null {
  const parameters = new URLSearchParams(query);
  const known = ['sentinel_username', 'sentinel_password'];
  if ([...parameters.keys()].some((name) => !known.includes(name))) return null;
  const [username, password] = known.map((name) => parameters.get(name));
  return { ...(username && { username }), ...(password && { password }) };
}

/** The path is a database's number, with `unix:` the socket's. */
function isServerUrl(text: string): boolean {
  if (!/^(rediss?|unix):\/\//.test(text) || !isUrl(text)) return false;
  const { protocol, host, pathname } = new URL(text);
  if (protocol === 'unix:') return host === '' && pathname.length > 1;
  return host !== '' && !host.includes(',') && /^\/?\d*$/.test(pathname);
}
