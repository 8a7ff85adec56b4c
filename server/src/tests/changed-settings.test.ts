import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engineNames } from '../analytics/store/events-store.ts';
import { listSettings, loadConfig } from '../config.ts';

const canary = 'p4ss-canary-0123456789abcdefghijklmnop';
const changedBy = (env: Record<string, string>) => loadConfig(env, '/srv').changedSettings;

describe('the settings that differ from their defaults', () => {
  it('are shown with their values, others are not', () => {
    assert.deepEqual(changedBy({}), {});
    const same = { PORT: '8080', BRANDPORT_ROLE: 'all', BRANDPORT_KEEP_AUDIT: '400d', LOG_LEVEL: '' };
    assert.deepEqual(changedBy({ ...same, BRANDPORT_ROLE: 'api', BRANDPORT_KEEP_EVENTS: '30d' }), {
      BRANDPORT_ROLE: 'api',
      BRANDPORT_KEEP_EVENTS: '30d',
    });
  });

  it('never have a secret: addresses lose user, password and parameters that may have one', () => {
    const shown = changedBy({
      DATABASE_URL: `postgresql://brandport:${canary}@db1:5433/brand?sslmode=require&password=${canary}`,
      BRANDPORT_ANALYTICS_URL: `postgres://u:1/a@${canary}%40@host/db#${canary}`,
      REDIS_URL: `rediss://:${canary}@host1/2`,
      [engineNames.setting]: `https://u:${canary}@ch:8443/events?token=${canary}`,
      BRANDPORT_ADMIN_TOKEN: canary,
      BRANDPORT_CURSOR_SECRET: `${canary},${canary}2`,
    });
    assert.deepEqual(shown, {
      DATABASE_URL: 'postgresql://db1:5433/brand?sslmode=require',
      BRANDPORT_ANALYTICS_URL: 'postgres://host/db',
      REDIS_URL: 'rediss://host1/2',
      [engineNames.setting]: 'https://ch:8443/events',
      BRANDPORT_ADMIN_TOKEN: 'set',
      BRANDPORT_CURSOR_SECRET: 'set',
    });
  });

  it('mark each variable as a secret whose name says that it is one', () => {
    // The address of a webhook is often all that one needs to use it.
    const named = /TOKEN|SECRET|PASSWORD|PRIVATE|CREDENTIAL|WEBHOOK/;
    for (const { name, isSecret } of listSettings()) assert.equal(isSecret, named.test(name), name);
  });
});
