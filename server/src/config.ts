import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ConfiguredLimits, isRedisUrl } from './access/rate-limits/rate-limits.ts';
import {
  readConsoleUrl,
  readSingleSignOn,
  type SingleSignOnConfig,
} from './access/sessions/single-sign-on.ts';
import { type AlertSettings, readAlertSettings } from './alerts/alert.ts';
import { isUrl, type Network, parseNetwork, passwordHint, shownAddress } from './lib/addresses.ts';
import { spellingDistance } from './lib/nearest-name.ts';
import { isStrongSecret, secretCharacters, shortestSecret, tokenCharacters } from './lib/secrets.ts';
import { databaseUrlForm, isDatabaseUrl } from './postgres/connection-options.ts';
import { type Keep, readKeep } from './retention/policy-settings.ts';

/**
 * Settings of earlier versions and what to use instead, as a sentence. The start refuses them, so that an operator
 * learns from the upgrade, not from an incident, that a setting has no effect any more.
 */
export const removedSettings: ReadonlyMap<string, string> = new Map([
  ['BRANDPORT_CELL', 'The catalog has one PostgreSQL; see docs/scale.md for what outgrows it.'],
  ['BRANDPORT_BACKUP_DIR', 'Make backups with cron and `brandport backup FILE`; see docs/operations.md.'],
  ['BRANDPORT_BACKUP_EVERY', 'Make backups with cron and `brandport backup FILE`; see docs/operations.md.'],
  ['BRANDPORT_BACKUP_KEEP', 'Delete old backups with cron and `find -mtime`; see docs/operations.md.'],
  ['BRANDPORT_BACKUP_COPY_DIR', 'Copy backups with cron; see docs/operations.md.'],
  ['BRANDPORT_BACKUP_KEY_FILE', 'Encrypt backups with `age`; see docs/operations.md.'],
]);

const prefix = 'BRANDPORT_';
/** A name this near to a known one is a misspelling; a short name has to be nearer. */
const misspeltWithin = 3;
/** Kubernetes sets these in every container of a namespace that has a service named `brandport`. */
const ofKubernetes = /^BRANDPORT_(SERVICE_|PORT$|PORT_)/;
/** The variables of the command line and the SDK: a shell that starts a server may have them, and they mean nothing to it. */
export const ofClients: readonly string[] = [
  'BRANDPORT_URL',
  'BRANDPORT_API_KEY',
  'BRANDPORT_INTERNAL_URL',
  'BRANDPORT_PROFILE',
  'BRANDPORT_SANDBOX',
];

interface UnknownVariable {
  readonly name: string;
  /** The known name that was probably meant; null if none is near. */
  readonly nearest: string | null;
}

/** Lists the variables that begin like Brandport's and are not known, and those a letter away from an unset address of data. */
function listUnknownVariables(env: NodeJS.ProcessEnv, known: readonly string[]): UnknownVariable[] {
  const unset = ['DATABASE_URL', 'REDIS_URL'].filter((address) => (env[address] ?? '') === '');
  const isMisspelt = (name: string) => unset.some((address) => spellingDistance(name, address) === 1);
  return Object.keys(env)
    .filter((name) => (name.startsWith(prefix) || isMisspelt(name)) && !known.includes(name))
    .filter((name) => !ofKubernetes.test(name) && !ofClients.includes(name))
    .sort()
    .map((name) => ({ name, nearest: name.startsWith(prefix) ? nearestOf(name, known) : null }));
}

function nearestOf(name: string, known: readonly string[]): string | null {
  const withoutPrefix = name.slice(prefix.length);
  if (known.includes(withoutPrefix)) return withoutPrefix;
  const [nearest] = known
    .map((other) => ({ other, distance: spellingDistance(name, other) }))
    .sort((a, b) => a.distance - b.distance);
  const within = Math.min(misspeltWithin, withoutPrefix.length / 3);
  return nearest !== undefined && nearest.distance <= within ? nearest.other : null;
}

export interface ListenAddress {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
}

type Role = 'all' | 'api' | 'worker';
export type LogLevel = (typeof logLevels)[number];
type LogFormat = (typeof logFormats)[number];

export interface Config {
  readonly client: ListenAddress;
  readonly internal: ListenAddress;
  /** Absolute. */
  readonly dataDir: string;
  /** True if the data directory is removed when the process ends. No setting: an extension sets it. */
  readonly isDataTemporary?: boolean;
  /** null: the embedded database under the data directory. */
  readonly databaseUrl: string | null;
  /** null: the same database. */
  readonly analyticsUrl: string | null;
  /** null: learning events and datasets are in PostgreSQL. */
  readonly engineUrl: string | null;
  /** null: rate-limit counters in this process. */
  readonly redisUrl: string | null;
  /** Empty: generated and kept in the data directory. All open the internal surface. */
  readonly adminTokens: readonly string[];
  /** Empty: generated and kept in the data directory. The first encrypts, all decrypt. */
  readonly cursorSecrets: readonly string[];
  /** The proxies whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly Network[];
  readonly limits: ConfiguredLimits;
  /** Bytes of request bodies that are read and not yet stored. */
  readonly bodyBudget: number;
  /** Bytes of response bodies that are kept; 0 = none. */
  readonly responseCache: number;
  readonly keep: Keep;
  /** null: alerts are not sent. */
  readonly alerts: AlertSettings | null;
  /** True if browsers may sign in over plain http from other machines. */
  readonly consoleAllowsHttp: boolean;
  /** The console as browsers reach it; ends with `/console/`. null: not known. */
  readonly consoleUrl: string | null;
  /** null: browsers sign in with tokens only. */
  readonly singleSignOn: SingleSignOnConfig | null;
  readonly demo: boolean;
  readonly role: Role;
  readonly logLevel: LogLevel;
  /** null: for people on a terminal, otherwise JSON. */
  readonly logFormat: LogFormat | null;
  /** Names of variables that begin like Brandport's but are none of them; the start warns about them. */
  readonly unknownVariables: readonly string[];
  /** The variables that have a value, also that of their default. */
  readonly givenSettings: ReadonlySet<string>;
  /** The variables whose values differ from their defaults, as they may be shown: without secrets. */
  readonly changedSettings: Readonly<Record<string, string>>;
}

/** A variable of the environment, as `docs/configuration.md` describes it. */
export interface Setting {
  readonly name: string;
  /** The value without the variable. */
  readonly fallback: unknown;
  /** The form of its values, as in "must be …". */
  readonly form: string;
  /** True if no part of its value may be shown. Of an address, the credentials and parameters may not. */
  readonly isSecret: boolean;
}

/** Names every variable that was not understood; the command line ends with exit code 2 on it. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const logFormats = ['json', 'pretty'] as const;
const roles = ['all', 'api', 'worker'] as const;
const redisExpectation =
  'redis://, rediss:// or unix:// and one server (for Sentinels or a cluster, the address of a proxy in front of them)';
/** Generated if absent. An empty value is a form that was not filled in: each process would generate another secret. */
const sharedSecrets = ['BRANDPORT_ADMIN_TOKEN', 'BRANDPORT_CURSOR_SECRET'] as const;
/** No part of their values is ever shown. */
const secretNames: ReadonlySet<string> = new Set([
  ...sharedSecrets,
  'BRANDPORT_OIDC_CLIENT_SECRET',
  // The address of a webhook is often all that one needs to use it.
  ...['BRANDPORT_ALERT_WEBHOOK', 'BRANDPORT_ALERT_SECRET'],
]);

/**
 * Reads the whole configuration from the environment, once; an empty value counts as unset, but for secrets next to
 * `DATABASE_URL`. Messages never contain the values of secrets and URLs.
 * @throws ConfigError with one line for each invalid variable.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, cwd: string): Config {
  return readConfig(env, cwd, []);
}

/** Lists all variables, in the order in which they are read. */
export function listSettings(): readonly Setting[] {
  const settings: Setting[] = [];
  readConfig({}, '/', settings);
  return settings;
}

/** Reads the configuration, and adds each variable to `settings`. */
function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  settings: Setting[],
): Config {
  const problems: string[] = [];
  const givenSettings = new Set<string>();
  const changedSettings: Record<string, string> = {};

  function read<T>(
    name: string,
    fallback: T,
    expectation: string,
    parse: (text: string) => T | undefined,
  ): T {
    const isSecret = secretNames.has(name);
    settings.push({ name, fallback, form: expectation, isSecret });
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    givenSettings.add(name);
    const value = parse(text);
    if (value !== undefined) {
      if (!isDeepStrictEqual(value, fallback)) changedSettings[name] = isSecret ? 'set' : shownAddress(text);
      return value;
    }
    problems.push(`${name} must be ${expectation}${passwordHint(text)}.`);
    return fallback;
  }

  const text = (name: string, fallback: string) => read(name, fallback, 'a string', (value) => value);
  const host = (name: string) =>
    read(name, '127.0.0.1', 'a host name or an IP address', (value) =>
      /^[A-Za-z0-9._:%-]+$/.test(value) ? value : undefined,
    );
  const integer = (name: string, fallback: number, max: number, min = 0) =>
    read(name, fallback, `an integer from ${min} to ${max}`, (value) =>
      /^\d{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
    );
  const oneOf = <T extends string>(name: string, fallback: T, values: readonly T[]) =>
    read<T>(name, fallback, `one of ${values.join(', ')}`, (value) => values.find((v) => v === value));
  const url = (name: string, protocols: readonly string[]) =>
    read<string | null>(name, null, `a URL that starts with ${protocols.join(' or ')}`, (value) => {
      return protocols.some((protocol) => value.startsWith(protocol)) && isUrl(value) ? value : undefined;
    });
  const database = (name: string) =>
    read<string | null>(name, null, databaseUrlForm, (value) => (isDatabaseUrl(value) ? value : undefined));
  const secrets = (name: string, noun: string, characters: RegExp, named = 'characters') =>
    read<readonly string[]>(
      name,
      [],
      `one or two comma-separated ${noun} of at least ${shortestSecret} ${named}`,
      (value) => {
        const parts = value.split(',').map((part) => part.trim());
        return parts.length <= 2 && parts.every((part) => isStrongSecret(part, characters))
          ? parts
          : undefined;
      },
    );
  const limit = (name: string, fallback: number) =>
    integer(`BRANDPORT_LIMIT_${name}`, fallback, 1_000_000_000);

  const consoleAllowsHttp = oneOf('BRANDPORT_CONSOLE_INSECURE', '0', ['0', '1']) === '1';
  const consoleUrl = readConsoleUrl(text, problems, { allowsHttp: consoleAllowsHttp });

  const config: Config = {
    client: { host: host('HOST'), port: integer('PORT', 8080, 65_535) },
    internal: {
      host: host('BRANDPORT_INTERNAL_HOST'),
      port: integer('BRANDPORT_INTERNAL_PORT', 8081, 65_535),
    },
    dataDir: resolve(cwd, text('BRANDPORT_DATA_DIR', './data')),
    databaseUrl: database('DATABASE_URL'),
    analyticsUrl: database('BRANDPORT_ANALYTICS_URL'),
    engineUrl: url('BRANDPORT_CLICKHOUSE_URL', ['http://', 'https://']),
    redisUrl: read<string | null>('REDIS_URL', null, redisExpectation, (value) =>
      isRedisUrl(value) ? value : undefined,
    ),
    adminTokens: secrets('BRANDPORT_ADMIN_TOKEN', 'tokens', tokenCharacters, 'visible ASCII characters'),
    cursorSecrets: secrets('BRANDPORT_CURSOR_SECRET', 'secrets', secretCharacters),
    trustedProxies: read<readonly Network[]>(
      'BRANDPORT_TRUSTED_PROXIES',
      [],
      'comma-separated networks such as 10.0.0.0/8,fd00::/8',
      (value) => {
        const networks = value.split(',').map((network) => parseNetwork(network.trim()));
        return networks.every((network) => network !== null) ? networks : undefined;
      },
    ),
    limits: {
      catalog_key_reads: limit('CATALOG_READS', 300),
      catalog_key_writes: limit('CATALOG_WRITES', 60),
      catalog_brand: limit('CATALOG_BRAND', 600),
      analytics_key: limit('ANALYTICS_KEY', 120),
      analytics_brand: limit('ANALYTICS_BRAND', 240),
      address: limit('ADDRESS', 300),
      admin_failures: limit('ADMIN_FAILURES', 30),
    },
    bodyBudget: integer('BRANDPORT_BODY_BUDGET_MIB', 256, 65_536, 96) * 1024 * 1024,
    responseCache: integer('BRANDPORT_RESPONSE_CACHE_MIB', 16, 4_096) * 1024 * 1024,
    keep: readKeep(read),
    alerts: readAlertSettings(read, (name) => secrets(name, 'secrets', secretCharacters), problems),
    consoleAllowsHttp,
    consoleUrl,
    singleSignOn: readSingleSignOn(text, problems, consoleUrl),
    demo: oneOf('BRANDPORT_DEMO', '1', ['0', '1']) === '1',
    role: oneOf<Role>('BRANDPORT_ROLE', 'all', roles),
    logLevel: oneOf<LogLevel>('LOG_LEVEL', 'info', logLevels),
    logFormat: read<LogFormat | null>('LOG_FORMAT', null, `one of ${logFormats.join(', ')}`, (value) =>
      logFormats.find((format) => format === value),
    ),
    unknownVariables: [],
    givenSettings,
    changedSettings,
  };
  if (config.databaseUrl !== null)
    for (const name of sharedSecrets)
      if (env[name] === '')
        problems.push(
          `${name} must not be empty: the processes on DATABASE_URL share it. Without the variable, one is generated in the data directory.`,
        );
  for (const [name, instead] of removedSettings)
    if (env[name] !== undefined && env[name] !== '') problems.push(`${name} was removed. ${instead}`);
  const known = [...settings.map(({ name }) => name), ...removedSettings.keys()];
  const unknown = listUnknownVariables(env, known);
  for (const { name, nearest } of unknown)
    if (nearest !== null) problems.push(`${name} must be spelt ${nearest}: there is no variable ${name}.`);
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze({ ...config, unknownVariables: unknown.map(({ name }) => name) });
}

/** Freezes a value with all that it contains. */
function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part);
  return Object.freeze(value);
}
