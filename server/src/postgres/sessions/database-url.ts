import { isUrl } from '../../lib/urls.ts';

/** The address of one server that `DATABASE_URL` names. */
export interface ServerHost {
  readonly host: string;
  readonly port: number;
}

/** A URL of PostgreSQL, with its servers taken out. */
export interface ParsedDatabaseUrl {
  /** In the order of the URL. Empty if the URL has one server, in the forms that `pg` understands itself. */
  readonly hosts: readonly ServerHost[];
  /** The URL with one server, which `pg` understands. */
  readonly url: string;
}

/** Completes "DATABASE_URL must be". */
export const databaseUrlForm =
  'a URL that starts with postgres:// or postgresql:// (several hosts are separated by commas, and target_session_attrs is ' +
  'read-write, primary or any)';

const defaultPort = 5432;
const form = /^(postgres(?:ql)?:\/\/)((?:[^/?#@]*@)?)([^/?#]*)(.*)$/s;
/** Brandport writes, so a list of servers is always searched for the one that accepts writes. */
const writableAttributes = new Set(['any', 'read-write', 'primary']);

/**
 * Parses a `DATABASE_URL` as libpq does: several servers in the authority, or in the parameters `host` and `port`.
 * @returns null if it is no such URL, or asks for a server that accepts no writes
 */
export function parseDatabaseUrl(text: string): ParsedDatabaseUrl | null {
  const [, scheme, user, authority, rest] = form.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) return null;
  const authorities = authority.split(',');
  const address = `${scheme}${user}${authorities[0]}${rest}`;
  if (!isUrl(address)) return null;
  const single = new URL(address);
  const parameters = single.searchParams;
  const attributes = parameters.get('target_session_attrs');
  if (attributes !== null && !writableAttributes.has(attributes)) return null;
  const hosts = parameters.has('host')
    ? fromParameters(parameters.get('host') ?? '', parameters.get('port') ?? single.port)
    : authorities.map(fromAuthority);
  if (hosts.some((host) => host === null)) return null;
  if (hosts.length === 1) return { hosts: [], url: text };
  // Otherwise the parameters would override the server that is chosen for a connection.
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name);
  return { hosts: hosts as ServerHost[], url: single.href };
}

/** "db1", "db1:5433", "[::1]:5433" */
function fromAuthority(text: string): ServerHost | null {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined ? null : toHost(decodeURIComponent(host), port ?? '');
}

/** One port may be given for all hosts. */
function fromParameters(hosts: string, ports: string): (ServerHost | null)[] {
  const [names, numbers] = [hosts.split(','), ports.split(',')];
  if (numbers.length !== 1 && numbers.length !== names.length) return [null];
  return names.map((name, index) => toHost(name, numbers[numbers.length === 1 ? 0 : index] ?? ''));
}

function toHost(host: string, port: string): ServerHost | null {
  const number = port === '' ? defaultPort : Number(port);
  const isPort = Number.isInteger(number) && number > 0 && number < 65_536;
  return host !== '' && isPort ? { host, port: number } : null;
}
