import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../config.ts';
import { problemsOf } from '../../tests/problems-of.ts';

const secret = 'alert-secret-of-32-characters-00';
const load = (env: Record<string, string>) => loadConfig(env, '/srv');

describe('the settings of alerts', () => {
  it('are https addresses, or addresses of this machine, with one or two secrets', () => {
    for (const url of [
      'https://alerts.example/hook?token=a%20b',
      'http://127.0.0.1:9000/',
      'http://localhost/x',
      'http://[::1]:1',
    ])
      assert.deepEqual(load({ BRANDPORT_ALERT_WEBHOOK: url, BRANDPORT_ALERT_SECRET: secret }).alerts, {
        url,
        secrets: [secret],
      });
    const two = {
      BRANDPORT_ALERT_WEBHOOK: 'https://a.example',
      BRANDPORT_ALERT_SECRET: `${secret}1,${secret}`,
    };
    assert.deepEqual(load(two).alerts?.secrets, [`${secret}1`, secret]);
  });

  it('are off without a webhook, and refused without a secret or with another address', () => {
    assert.equal(load({ BRANDPORT_ALERT_SECRET: secret }).alerts, null);
    assert.deepEqual(problemsOf({ BRANDPORT_ALERT_WEBHOOK: 'https://a.example' }), [
      'BRANDPORT_ALERT_SECRET must be set with BRANDPORT_ALERT_WEBHOOK: it signs the alerts.',
    ]);
    const short = { BRANDPORT_ALERT_WEBHOOK: 'https://a.example', BRANDPORT_ALERT_SECRET: secret.slice(1) };
    assert.match(
      problemsOf(short).join(),
      /^BRANDPORT_ALERT_SECRET must be one or two [^,]+ of at least 32 characters\.$/,
    );
    for (const url of [
      'http://alerts.example',
      'http://10.0.0.1',
      'ftp://localhost',
      'alerts.example',
      'https://',
      'https://u:p@a.example',
      'http://localhost.example',
    ])
      assert.deepEqual(problemsOf({ BRANDPORT_ALERT_WEBHOOK: url, BRANDPORT_ALERT_SECRET: secret }), [
        'BRANDPORT_ALERT_WEBHOOK must be a URL without user and password that starts with https://, or with http:// on this machine.',
      ]);
  });

  it('are never shown: the address may be a secret as well', () => {
    const env = { BRANDPORT_ALERT_WEBHOOK: 'https://a.example/T0/B1/x', BRANDPORT_ALERT_SECRET: secret };
    assert.deepEqual(load(env).changedSettings, {
      BRANDPORT_ALERT_WEBHOOK: 'set',
      BRANDPORT_ALERT_SECRET: 'set',
    });
  });
});
