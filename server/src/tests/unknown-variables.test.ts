import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../config.ts';
import { problemsOf } from './problems-of.ts';

const load = (env: Record<string, string>) => loadConfig(env, '/srv');

describe('a variable that is not known', () => {
  // [internal-5]
  it('is refused when it is within three letters of a known one, which is named', () => {
    for (const [name, meant] of [
      ['BRANDPORT_DATADIR', 'BRANDPORT_DATA_DIR'],
      ['BRANDPORT_ADMIN_TOKENS', 'BRANDPORT_ADMIN_TOKEN'],
      ['BRANDPORT_CURSER_SECERT', 'BRANDPORT_CURSOR_SECRET'],
      ['BRANDPORT_LIMIT_CATALOG_READ', 'BRANDPORT_LIMIT_CATALOG_READS'],
      ['BRANDPORT_HOST', 'HOST'],
      ['BRANDPORT_DATABASE_URL', 'DATABASE_URL'],
    ] as const)
      assert.deepEqual(problemsOf({ [name]: 'any value' }), [
        `${name} must be spelt ${meant}: there is no variable ${name}.`,
      ]);
    assert.equal(problemsOf({ BRANDPORT_DATADIR: '' }).length, 1);
  });

  it('is kept for a warning otherwise', () => {
    // Three letters from BRANDPORT_DEMO, and nothing like it.
    const nearAddresses = ['DATABASE_ULR', 'DATABASE_URLS', 'REDIS_URI'];
    for (const name of ['BRANDPORT_TELEMETRY_ENDPOINT', 'BRANDPORT_FOO', 'BRANDPORT_X', ...nearAddresses])
      assert.deepEqual(load({ [name]: '?', DATABASE_URL: '' }).unknownVariables, [name]);
    assert.deepEqual(load({ REDIS_URI: '?', REDIS_URL: 'redis://h' }).unknownVariables, []);
  });

  it('accepts the variables that the examples of the reference and of the SDK have', () => {
    const ofClients = { BRANDPORT_URL: 'http://127.0.0.1:8080', BRANDPORT_API_KEY: 'tuk_x.y' };
    assert.deepEqual(load(ofClients), load({}));
  });
});
