import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type ConfigError, listSettings, loadConfig } from '../../src/config.ts';
import { projectDir } from '../support/server-process.ts';

const text = await readFile(join(projectDir, 'deploy/brandport.env'), 'utf8');
/** Every line that sets a variable, also as a comment. */
const settings = [...text.matchAll(/^#?([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}));
/** Not read by the server. */
const forOthers = ['POSTGRES_PASSWORD'];

describe('the file of settings', () => {
  it('has every variable that the server reads, once, and no other', () => {
    const names = settings.map(({ name }) => name).filter((name) => !forOthers.includes(name));
    assert.deepEqual(
      names.toSorted(),
      listSettings()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it('shows the defaults where it says so', () => {
    const shown = settings.filter(({ name, value }) => value !== '' && !shownAsExample.includes(name));
    const environment = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
    const { givenSettings, ...config } = loadConfig(environment, '/srv');
    assert.equal(givenSettings.size, shown.length);
    const { givenSettings: none, ...defaults } = loadConfig({}, '/srv');
    assert.deepEqual([config, none.size], [defaults, 0]);
  });

  it('has examples that are valid', () => {
    const all = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
    const secret = 'x'.repeat(32);
    const filled = { ...all, BRANDPORT_ADMIN_TOKEN: secret, BRANDPORT_CURSOR_SECRET: secret };
    const config = loadConfig(filled, '/srv');
    assert.equal(config.databaseUrl, 'postgresql://brandport:password@127.0.0.1/brandport');
    assert.deepEqual(
      config.trustedProxies.map(({ address }) => address),
      ['127.0.0.1'],
    );
  });

  it('refuses to start until the secrets are filled in', () => {
    const all = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
    assert.throws(
      () => loadConfig(all, '/srv'),
      (error: ConfigError) => {
        const names = error.problems.map((problem) => problem.split(' ')[0]);
        assert.deepEqual(names, ['BRANDPORT_ADMIN_TOKEN', 'BRANDPORT_CURSOR_SECRET']);
        return true;
      },
    );
  });

  it('sets nothing but the empty secrets', () => {
    const set = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([line]) => line);
    assert.deepEqual(set, ['BRANDPORT_ADMIN_TOKEN=', 'BRANDPORT_CURSOR_SECRET=', 'POSTGRES_PASSWORD=']);
  });
});

/** No default: a value that has to be chosen. */
const shownAsExample = [
  ...[
    'DATABASE_URL',
    'REDIS_URL',
    'BRANDPORT_TRUSTED_PROXIES',
    'BRANDPORT_CONSOLE_URL',
    'BRANDPORT_CLICKHOUSE_URL',
    'BRANDPORT_OIDC_ISSUER',
  ],
  ...['BRANDPORT_ALERT_WEBHOOK', 'BRANDPORT_ALERT_SECRET'],
  ...['BRANDPORT_OIDC_CLIENT_ID', 'BRANDPORT_OIDC_CLIENT_SECRET', 'BRANDPORT_OIDC_ROLES'],
];
