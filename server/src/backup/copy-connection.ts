import type pg from 'pg';
import { connectionOptions, type DatabaseAddress, withSettings } from '../postgres/connection-options.ts';
import type { SessionConfig } from '../postgres/sessions/session.ts';

/** No time limits: a table may take hours. */
const settings = {
  client_encoding: 'UTF8',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** The options of connections that copy tables. Both ends use the same, so rows mean the same on any version. */
export function copyConnectionOptions(address: DatabaseAddress, applicationName: string): SessionConfig {
  const config = withSettings(connectionOptions(address, applicationName), settings);
  return { ...config, session: { ...config.session, mayBeStandby: true } };
}

/** Closes a connection that may be in the middle of a table; what is not committed is rolled back. */
export async function closeNow(client: pg.Client): Promise<void> {
  const { stream } = (
    client as unknown as { connection: { stream: { destroy(): void; destroyed: boolean } } }
  ).connection;
  if (stream.destroyed) return;
  const closed = new Promise<void>((resolve) => client.once('end', resolve));
  stream.destroy();
  await closed;
}

export function quotedName({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `"${schema}"."${name}"`;
}
