import { listSettings, type Setting } from '../src/config.ts';

/** The meaning of a variable, as Markdown. */
interface Meaning {
  readonly name: string;
  readonly means: string;
  /** The default in words or in the form of the variable, if its value in the code is neither a string nor a number. */
  readonly shown?: string;
}

/** The variables by subject, in the order of the page. */
const meanings: Record<string, readonly Meaning[]> = {
  Listeners: [
    { name: 'HOST', means: 'address of the client listener' },
    { name: 'PORT', means: 'its port; `0` = any free one' },
    { name: 'BRANDPORT_INTERNAL_HOST', means: 'address of the internal listener' },
    { name: 'BRANDPORT_INTERNAL_PORT', means: 'its port' },
    {
      name: 'BRANDPORT_TRUSTED_PROXIES',
      shown: 'none',
      means: 'whose `X-Forwarded-*` headers are believed; see [Behind a proxy](operations.md#behind-a-proxy)',
    },
  ],
  'Data and processes': [
    { name: 'BRANDPORT_DATA_DIR', means: 'embedded database and generated secrets' },
    {
      name: 'DATABASE_URL',
      shown: 'embedded',
      means: 'PostgreSQL 16 or later for brands, keys, catalog, directory and jobs',
    },
    {
      name: 'BRANDPORT_ANALYTICS_URL',
      shown: 'the same database',
      means: 'PostgreSQL for learning events and datasets',
    },
    {
      name: 'BRANDPORT_CLICKHOUSE_URL',
      shown: 'none',
      means:
        'ClickHouse for learning events and datasets, next to PostgreSQL: [from which size it is worth it](scale.md#clickhouse-for-analytics)',
    },
    {
      name: 'REDIS_URL',
      shown: 'in this process',
      means: 'shared rate-limit counters; see [Redis](scale.md#redis)',
    },
    { name: 'BRANDPORT_ROLE', means: '`api`: no jobs; `worker`: jobs only' },
    { name: 'BRANDPORT_DEMO', means: '`0`: no demo brand in a new embedded database' },
  ],
  Secrets: [
    {
      name: 'BRANDPORT_ADMIN_TOKEN',
      shown: 'generated',
      means: 'bearer token of the internal surface; `new,old` accepts both. Not empty with `DATABASE_URL`',
    },
    {
      name: 'BRANDPORT_CURSOR_SECRET',
      shown: 'generated',
      means: 'encrypts analytics cursors; `new,old` rotates. Not empty with `DATABASE_URL`',
    },
  ],
  'Rate limits': [
    {
      name: 'BRANDPORT_LIMIT_CATALOG_READS',
      means: 'requests per minute and key; `0` = not limited, here and below',
    },
    { name: 'BRANDPORT_LIMIT_CATALOG_WRITES', means: 'per key' },
    { name: 'BRANDPORT_LIMIT_CATALOG_BRAND', means: 'per brand, all keys and methods' },
    { name: 'BRANDPORT_LIMIT_ANALYTICS_KEY', means: 'per key' },
    { name: 'BRANDPORT_LIMIT_ANALYTICS_BRAND', means: 'per brand' },
    { name: 'BRANDPORT_LIMIT_ADDRESS', means: 'per client address, without a valid key' },
    {
      name: 'BRANDPORT_LIMIT_ADMIN_FAILURES',
      means: 'wrong bearer tokens per client address, on the internal listener',
    },
  ],
  Memory: [
    {
      name: 'BRANDPORT_BODY_BUDGET_MIB',
      means: 'memory for request bodies not yet stored; of the default, a brand may hold about a quarter',
    },
    {
      name: 'BRANDPORT_RESPONSE_CACHE_MIB',
      means: 'memory for bodies of recent reads; `0` = none are kept',
    },
  ],
  Retention: [
    {
      name: 'BRANDPORT_KEEP_FEED_LINES',
      shown: '`400d`',
      means: 'lines of finished stock feeds; totals and batch ids stay',
    },
    { name: 'BRANDPORT_KEEP_AUDIT', shown: '`400d`', means: 'audit entries' },
    { name: 'BRANDPORT_KEEP_KEY_USAGE', shown: '`100d`', means: 'the usage of keys, by whole days' },
    {
      name: 'BRANDPORT_KEEP_REFUSALS',
      shown: '`7d`',
      means: 'refused requests of keys, at most 10,000 of a brand',
    },
    {
      name: 'BRANDPORT_KEEP_EVENTS',
      shown: '`forever`',
      means: 'raw learning events, by whole months once they are aggregated; the datasets stay',
    },
  ],
  Alerts: [
    {
      name: 'BRANDPORT_ALERT_WEBHOOK',
      shown: 'none',
      means: 'where workers send [alerts to people](monitoring.md#alerts-to-people), as JSON',
    },
    {
      name: 'BRANDPORT_ALERT_SECRET',
      shown: 'none',
      means: 'signs them; with `new,old`, an alert has a signature by each',
    },
  ],
  'Console and single sign-on': [
    {
      name: 'BRANDPORT_CONSOLE_INSECURE',
      means:
        '`1`: browsers may sign in over plain http from other machines; see [Signing in](operations.md#signing-in)',
    },
    {
      name: 'BRANDPORT_CONSOLE_URL',
      means: 'the console as browsers reach it, such as `https://brandport.example/console/`',
    },
    {
      name: 'BRANDPORT_OIDC_ISSUER',
      means:
        'identity provider with which browsers sign in; see [Single sign-on](operations.md#single-sign-on)',
    },
    { name: 'BRANDPORT_OIDC_CLIENT_ID', means: 'the client that is registered there' },
    { name: 'BRANDPORT_OIDC_CLIENT_SECRET', means: 'its secret' },
    {
      name: 'BRANDPORT_OIDC_ROLES',
      means:
        'roles by value of a claim, such as `administrator=admins; operator:1,2=shop-team; support=helpdesk`',
    },
    { name: 'BRANDPORT_OIDC_ROLES_CLAIM', means: 'the claim' },
    { name: 'BRANDPORT_OIDC_SCOPES', means: 'the scopes that are requested, `openid` among them' },
  ],
  Log: [
    {
      name: 'LOG_FORMAT',
      shown: '`pretty` on a terminal, otherwise `json`',
      means: '`pretty`: for people',
    },
    { name: 'LOG_LEVEL', means: 'the least important level that is logged' },
  ],
};

const introduction = `# Configuration

<!-- Generated from server/src/config.ts and server/scripts/settings-page.ts by \`npm run generate\`. Change them there. -->

All settings are environment variables; an empty one counts as unset. On an invalid value or a misspelt \`BRANDPORT_\` name, the
server names the variable and exits with code 2. It warns about other unknown \`BRANDPORT_\` names, and about one that is a letter away
from \`DATABASE_URL\` or \`REDIS_URL\` while that is unset. \`brandport --env-file FILE <command>\` reads the variables from a file;
[deploy/brandport.env](../deploy/brandport.env) is one with all of them. Quotes and backslashes are those of systemd's
\`EnvironmentFile\`; a byte order mark and \`export\` are skipped.
`;

/** Returns the text of `docs/configuration.md`. Throws if a variable has no meaning, or a meaning no variable. */
export function settingsPage(): string {
  const settings = new Map(listSettings().map((setting) => [setting.name, setting]));
  const sections = Object.entries(meanings).map(([subject, rows]) => {
    const table = rows.map((meaning) => row(meaning, settings.get(meaning.name))).join('');
    for (const { name } of rows) settings.delete(name);
    return `\n## ${subject}\n\n| variable | default | values | meaning |\n|---|---|---|---|\n${table}`;
  });
  if (settings.size > 0) throw new Error(`meanings.ts lacks ${[...settings.keys()].join(', ')}`);
  return introduction + sections.join('');
}

function row({ name, shown, means }: Meaning, setting: Setting | undefined): string {
  if (setting === undefined) throw new Error(`meanings.ts has ${name}, which is no variable`);
  return `| \`${name}\` | ${shown ?? shownDefault(setting)} | ${setting.form} | ${means} |\n`;
}

function shownDefault({ name, fallback }: Setting): string {
  if (typeof fallback !== 'string' && typeof fallback !== 'number')
    throw new Error(`meanings.ts does not say what ${name} is by default`);
  return fallback === '' ? 'none' : `\`${fallback}\``;
}
