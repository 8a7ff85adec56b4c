import { isUrl } from '../../lib/urls.ts';

/** Completes "DATABASE_URL must be". */
export const databaseUrlForm =
  'a URL that starts with postgres:// or postgresql:// and has one host (in front of several servers, the address of HAProxy ' +
  'or PgBouncer)';

const form = /^postgres(?:ql)?:\/\/(?:[^/?#@]*@)?([^/?#]*)/;

/** Returns whether `pg` understands a URL. Lists of hosts, which libpq has, are none: `pg` would look up their text as a name. */
export function isDatabaseUrl(text: string): boolean {
  const [, authority] = form.exec(text) ?? [];
  if (authority === undefined || authority.includes(',') || !isUrl(text)) return false;
  const parameters = new URL(text).searchParams;
  return !['host', 'port'].some((name) => parameters.get(name)?.includes(','));
}
