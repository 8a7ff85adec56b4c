import type { ClientConfig } from 'pg';
import { connectionOptions, type DatabaseAddress } from '../postgres/connection-options.ts';

/** The settings on which PostgreSQL's text format depends, and no time limits: a table may take hours. */
const settings = {
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '3',
  client_encoding: 'UTF8',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** The options of connections that copy tables. Both ends use the same, so rows mean the same on any version. */
export function copyConnectionOptions(address: DatabaseAddress, applicationName: string): ClientConfig {
  const shared = connectionOptions(address, applicationName);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return { ...shared, options: [shared.options, ...options].join(' ') };
}

/** The name as SQL. */
export function quotedName({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `"${schema}"."${name}"`;
}
