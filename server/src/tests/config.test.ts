import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { engineNames } from '../analytics/store/events-store.ts';
import { type Config, ConfigError, listSettings, loadConfig, ofClients } from '../config.ts';
import { problemsOf } from './problems-of.ts';
import { badPostgresUrls, host, limit, port, postgresUrls, url, type Variable } from './variable-kinds.ts';

/** Secrets of the minimum length and of a greater one. */
const [longSecret, otherSecret] = ['s3cret~'.padEnd(32, 'x'), 'another-'.padEnd(43, 'y')] as const;

const load = (env: Record<string, string | undefined>) => loadConfig(env, '/srv/brandport');

describe('the configuration', () => {
  it('refuses secrets that are empty next to DATABASE_URL, and generates absent ones', () => {
    const database = { DATABASE_URL: 'postgresql://localhost/brandport' };
    for (const name of ['BRANDPORT_ADMIN_TOKEN', 'BRANDPORT_CURSOR_SECRET']) {
      const [problem, ...others] = problemsOf({ ...database, [name]: '' });
      assert.match(problem ?? '', new RegExp(`^${name} must not be empty`));
      assert.deepEqual(others, []);
      assert.deepEqual(problemsOf({ [name]: '' }), []);
    }
    assert.deepEqual(problemsOf(database), []);
  });

  // [platform-46]
  it('has a default for every variable', () => {
    assert.deepEqual(load({}), {
      client: { host: '127.0.0.1', port: 8080 },
      internal: { host: '127.0.0.1', port: 8081 },
      dataDir: '/srv/brandport/data',
      databaseUrl: null,
      analyticsUrl: null,
      engineUrl: null,
      redisUrl: null,
      adminTokens: [],
      cursorSecrets: [],
      trustedProxies: [],
      limits: {
        catalog_key_reads: 300,
        catalog_key_writes: 60,
        catalog_brand: 600,
        analytics_key: 120,
        analytics_brand: 240,
        address: 300,
        admin_failures: 30,
      },
      bodyBudget: 256 * 1024 * 1024,
      responseCache: 16 * 1024 * 1024,
      keep: {
        'feed-lines': 400,
        audit: 400,
        'key-usage': 100,
        refusals: 7,
        'stock-changes': 8,
        events: null,
      },
      alerts: null,
      consoleAllowsHttp: false,
      consoleUrl: null,
      singleSignOn: null,
      demo: true,
      role: 'all',
      logLevel: 'info',
      logFormat: null,
      unknownVariables: [],
      givenSettings: new Set(),
      changedSettings: {},
    } satisfies Config);
  });

  it('cannot be changed once it is read, nor any part of it', () => {
    const config = load({ BRANDPORT_CURSOR_SECRET: `${longSecret},${otherSecret}` });
    for (const part of [config, config.client, config.internal, config.limits, config.cursorSecrets])
      assert.ok(Object.isFrozen(part));
  });
});

const goodSecrets: Variable['good'] = [
  [longSecret, [longSecret]],
  [`${longSecret},${otherSecret}`, [longSecret, otherSecret]],
  [`${longSecret}, ${otherSecret}`, [longSecret, otherSecret]],
];
const badSecrets = [
  longSecret.slice(1),
  `${longSecret},short`,
  `${longSecret},${otherSecret},${longSecret}`,
  ',',
  `${longSecret},`,
  ` `,
];

const variables: Record<string, Variable> = {
  HOST: host((config) => config.client.host),
  PORT: port((config) => config.client.port),
  BRANDPORT_INTERNAL_HOST: host((config) => config.internal.host),
  BRANDPORT_INTERNAL_PORT: port((config) => config.internal.port),
  BRANDPORT_DATA_DIR: {
    read: (config) => config.dataDir,
    good: [
      ['/var/lib/brandport', '/var/lib/brandport'],
      ['state', '/srv/brandport/state'],
      ['../x', '/srv/x'],
    ],
    bad: [],
  },
  DATABASE_URL: url((config) => config.databaseUrl, postgresUrls, badPostgresUrls),
  BRANDPORT_ANALYTICS_URL: url((config) => config.analyticsUrl, postgresUrls, badPostgresUrls),
  [engineNames.setting]: {
    read: (config) => config.engineUrl,
    good: [['https://u:p@house:8443/b?ch_insert_quorum=2', 'https://u:p@house:8443/b?ch_insert_quorum=2']],
    bad: ['tcp://house', 'house:8123', 'http://', ' '],
  },
  REDIS_URL: url(
    (config) => config.redisUrl,
    ['redis://localhost:6379/2', 'rediss://:p@cache:6380', 'unix:///run/r'],
    [
      'redis://one,two',
      'redis+sentinel://one,two:26380/limits',
      'rediss+cluster://:p@one,two',
      'redis://localhost/cache',
      'redis://localhost/0/1',
      'redis://',
      'unix://run',
      'redis://u:50%zz@cache',
    ],
  ),
  BRANDPORT_ADMIN_TOKEN: {
    read: (config) => config.adminTokens,
    good: goodSecrets,
    bad: [...badSecrets, `two words ${longSecret}`, `tab\there${longSecret}`, `umlaut-ä${longSecret}`],
  },
  BRANDPORT_CURSOR_SECRET: { read: (config) => config.cursorSecrets, good: goodSecrets, bad: badSecrets },
  BRANDPORT_LIMIT_CATALOG_READS: limit((config) => config.limits.catalog_key_reads),
  BRANDPORT_LIMIT_CATALOG_WRITES: limit((config) => config.limits.catalog_key_writes),
  BRANDPORT_LIMIT_CATALOG_BRAND: limit((config) => config.limits.catalog_brand),
  BRANDPORT_LIMIT_ANALYTICS_KEY: limit((config) => config.limits.analytics_key),
  BRANDPORT_LIMIT_ANALYTICS_BRAND: limit((config) => config.limits.analytics_brand),
  BRANDPORT_LIMIT_ADDRESS: limit((config) => config.limits.address),
  BRANDPORT_LIMIT_ADMIN_FAILURES: limit((config) => config.limits.admin_failures),
  BRANDPORT_BODY_BUDGET_MIB: {
    read: (config) => config.bodyBudget,
    good: [
      ['96', 96 * 1024 * 1024],
      ['65536', 65_536 * 1024 * 1024],
    ],
    bad: ['95', '0', '65537', '256 MiB', '1e3'],
  },
  BRANDPORT_RESPONSE_CACHE_MIB: {
    read: (config) => config.responseCache,
    good: [
      ['0', 0],
      ['4096', 4_096 * 1024 * 1024],
    ],
    bad: ['-1', '4097', '16 MiB', '1.5'],
  },
  BRANDPORT_CONSOLE_INSECURE: {
    read: (config) => config.consoleAllowsHttp,
    good: [
      ['1', true],
      ['0', false],
    ],
    bad: ['yes', 'true', '2'],
  },
  BRANDPORT_DEMO: {
    read: (config) => config.demo,
    good: [
      ['0', false],
      ['1', true],
    ],
    bad: ['false', 'true', 'no', '2'],
  },
  BRANDPORT_ROLE: {
    read: (config) => config.role,
    good: [
      ['api', 'api'],
      ['worker', 'worker'],
      ['all', 'all'],
    ],
    bad: ['API', 'jobs', 'api,worker'],
  },
  LOG_LEVEL: {
    read: (config) => config.logLevel,
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => [level, level]),
    bad: ['INFO', 'verbose', '30'],
  },
  LOG_FORMAT: {
    read: (config) => config.logFormat,
    good: ['json', 'pretty'].map((format) => [format, format]),
    bad: ['text', 'JSON', '1'],
  },
  BRANDPORT_TRUSTED_PROXIES: {
    read: (config) => config.trustedProxies.map(({ address, bits }) => `${address}/${bits}`),
    good: [
      ['10.0.0.0/8', ['10.0.0.0/8']],
      ['192.0.2.1, fd00::/8', ['192.0.2.1/32', 'fd00::/8']],
    ],
    bad: ['10.0.0.0/33', 'proxy.internal', '10.0.0.0/8,', '*', ' ', '10.0.0.0/8;fd00::/8'],
  },
};

for (const [name, { read, good, bad }] of Object.entries(variables))
  describe(name, () => {
    for (const [text, value] of good)
      it(`understands ${JSON.stringify(text)}`, () => assert.deepEqual(read(load({ [name]: text })), value));

    // [internal-5]
    it('counts as unset when it is empty', () =>
      assert.deepEqual(read(load({ [name]: '' })), read(load({}))));

    for (const text of bad)
      it(`refuses ${JSON.stringify(text)} and says whose value it was`, () => {
        const problems = problemsOf({ [name]: text });
        assert.equal(problems.length, 1);
        assert.ok(problems[0]?.startsWith(`${name} must be `), problems[0]);
      });
  });

describe('a configuration with problems', () => {
  const canary = 'canary-7c1e';
  const bad = Object.fromEntries(
    Object.entries(variables)
      .filter(([, variable]) => variable.bad.length > 0)
      .map(([name]) => [name, `${canary} with a space, ${canary}, ${canary}`]),
  );

  it('is refused once, with every variable that is not understood', () => {
    const problems = problemsOf(bad);
    assert.deepEqual(problems.map((problem) => problem.split(' ')[0]).sort(), Object.keys(bad).sort());
  });

  it('is reported without any value: a value may be a secret', () => {
    const message = String(assertThrows(() => load(bad)));
    assert.ok(!message.includes(canary));
    for (const name of Object.keys(bad)) assert.ok(message.includes(name), name);
  });

  it('says how to write a character of a password that a URL cannot have, without the password', () => {
    const urls = {
      DATABASE_URL: 'postgres',
      BRANDPORT_ANALYTICS_URL: 'postgresql',
      REDIS_URL: 'redis',
      [engineNames.setting]: 'https',
    };
    for (const [name, scheme] of Object.entries(urls))
      for (const [character, escaped] of [
        ['#', '%23'],
        ['/', '%2F'],
        ['?', '%3F'],
        ['%', '%25'],
      ] as const) {
        const [problem = '', ...others] = problemsOf({
          [name]: `${scheme}://u:${canary}%20${character}x@house:1/0`,
        });
        assert.ok(
          problem.endsWith(`; a \`${character}\` in the password must be written \`${escaped}\`.`),
          problem,
        );
        assert.ok(!problem.includes(canary));
        assert.deepEqual(others, []);
        const good = `${scheme}://u:${canary}%20${escaped}x@house:1/0`;
        assert.deepEqual(problemsOf({ [name]: good }), []);
      }
  });

  it('has no address whose port is the beginning of a password', () => {
    assert.match(
      problemsOf({ DATABASE_URL: 'postgres://u:12#3@house/db' })[0] ?? '',
      /; a `#` in the password must be written `%23`\.$/,
    );
    assert.doesNotMatch(problemsOf({ DATABASE_URL: 'mysql://u:p@house/a?b@c' })[0] ?? '', /password/);
  });

  it('does not hide behind variables of other programs', () => {
    const kubernetes = {
      BRANDPORT_SERVICE_HOST: '10.0.0.1',
      BRANDPORT_PORT: 'tcp://10.0.0.1:8080',
      BRANDPORT_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    };
    assert.deepEqual(load({ PATH: '/bin', PGHOST: 'x', ...kubernetes }), load({}));
  });

  // [internal-5]
  it('has none for a variable that the command line or the SDK reads, found in their sources', () => {
    const settings = new Set(listSettings().map(({ name }) => name));
    const read = new Set<string>();
    for (const folder of ['cli/src', 'cli/bin', 'client/src'])
      for (const file of globSync('**/*.{ts,js}', {
        cwd: new URL(`../../../${folder}/`, import.meta.url).pathname,
      }))
        for (const [, name = ''] of readFileSync(
          new URL(`../../../${folder}/${file}`, import.meta.url),
          'utf8',
        ).matchAll(/'(BRANDPORT_[A-Z_]+)'/g))
          read.add(name);
    assert.ok(
      read.has('BRANDPORT_INTERNAL_URL') && read.has('BRANDPORT_PROFILE') && read.has('BRANDPORT_SANDBOX'),
    );
    const clients = [...read].filter((name) => !settings.has(name));
    assert.deepEqual(clients.sort(), [...ofClients].sort());
    for (const name of clients) assert.deepEqual(load({ [name]: 'x' }), load({}), name);
  });
});

function assertThrows(work: () => unknown): unknown {
  let thrown: unknown;
  assert.throws(work, (error) => {
    thrown = error;
    return error instanceof ConfigError;
  });
  return thrown;
}
