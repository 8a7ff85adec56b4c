import type { ClientConfig } from 'pg';
import type { ServerHost } from './database-url.ts';
import type { ServerList } from './server-list.ts';

/** The state that a connection gets before its first statement. */
export interface Session {
  /** Settings by name, for the whole session. From code only: the names and values become part of a statement. */
  readonly settings: Readonly<Record<string, string>>;
  /** True for connections that read only and accept rows of a moment ago. */
  readonly mayBeStandby?: boolean;
  /** The servers of which one is chosen when the connection is opened; absent: the one of the configuration. */
  readonly servers?: Pick<ServerList, 'choose' | 'failed' | 'onMove'> | undefined;
}

export interface SessionConfig extends ClientConfig {
  readonly session: Session;
}

/** A list that has one server. */
export function onlyServer(host: ServerHost): NonNullable<Session['servers']> {
  return { choose: async () => host, failed: () => {}, onMove: () => () => {} };
}
