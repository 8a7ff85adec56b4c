import type { ClientConfig } from 'pg';
import { parseDatabaseUrl } from './database-url.ts';
import { ServerList } from './server-list.ts';
import { onlyServer, type Session } from './session.ts';
import { openConnection } from './session-client.ts';

/** Milliseconds for connecting to one server, when the one that accepts writes is searched for. */
const probeLimitMs = 2_000;

/** One list for each address, so that all connections of the process use the same server. */
const lists = new Map<string, ServerList>();

/** Returns the part of a connection's configuration that names its server, or the servers of which one is chosen. */
export function serversOf(url: string): {
  readonly connection: ClientConfig;
  readonly servers: Session['servers'];
} {
  const parsed = parseDatabaseUrl(url);
  if (parsed === null || parsed.hosts.length === 0)
    return { connection: { connectionString: url }, servers: undefined };
  const connection = { connectionString: parsed.url };
  const known = lists.get(url);
  if (known !== undefined) return { connection, servers: known };
  const servers = new ServerList(parsed.hosts, async (host) => {
    const client = await openConnection({
      ...connection,
      application_name: 'brandport-search',
      connectionTimeoutMillis: probeLimitMs,
      session: { settings: {}, servers: onlyServer(host) },
    });
    const { isReadOnly } = client;
    client.end().catch(() => {});
    return isReadOnly ? 'read_only' : 'writable';
  });
  lists.set(url, servers);
  return { connection, servers };
}
