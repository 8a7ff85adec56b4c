import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps, testAdminToken } from '../../../../test/support/test-apps.ts';
import { createInternalApp } from '../../../http/internal-app.ts';
import { sha256 } from '../../../lib/secrets.ts';
import { AdminToken } from '../../authentication/authentication.ts';
import { purgeEndedSessions } from '../session-store.ts';
import { anonymousClient, cookieOf, signIn, withCookie } from './browser-client.ts';

const apps = await createTestApps({ trustedProxies: ['127.0.0.1/32'] });
const { internalApp, clock } = apps;
const anonymous = anonymousClient(internalApp);
const minuteMs = 60_000;
let addresses = 0;

/** Attempts count by address, so each sign-in of a test comes from another one. */
function elsewhere(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `203.0.113.${addresses}` };
}

function attempt(token: unknown, headers: Record<string, string> = elsewhere()) {
  return anonymous.post('/console/session', { token }, headers);
}

async function signedIn() {
  const response = await attempt(testAdminToken);
  assert.equal(response.status, 204, response.text);
  return withCookie(internalApp, cookieOf(response.headers));
}

// [internal-120] [internal-121] [D162]
describe('a session', () => {
  it('begins with the admin token and opens the internal surface', async () => {
    const browser = await signedIn();
    const caller = await browser.get('/console/session');
    const { expires_at, ...who } = caller.json;
    assert.deepEqual(who, {
      actor: 'admin-token',
      actor_name: null,
      role: 'administrator',
      brand_ids: null,
    });
    const lifeMs = Date.parse(expires_at) - clock.now();
    assert.ok(lifeMs <= 12 * 60 * minuteMs && lifeMs > 12 * 60 * minuteMs - minuteMs, `${lifeMs} ms`);
    assert.equal((await browser.get('/internal/v1/brands')).status, 200);
    assert.equal((await browser.post('/internal/v1/brands', { name: 'By cookie' })).status, 201);
  });

  it('has a cookie of 256 random bits, of which only the digest is stored', async () => {
    const { headers } = await attempt(testAdminToken);
    const [pair = '', ...attributes] = String(headers['set-cookie']).split('; ');
    assert.deepEqual(attributes, ['Max-Age=43200', 'Path=/', 'HttpOnly', 'SameSite=Strict']);
    const value = pair.replace('brandport-console=', '');
    assert.match(value, /^[0-9a-f]{64}$/);
    cookieOf(headers);
    const rows = await apps.sql('select 1 from console_sessions where token_sha256 = $1', [sha256(value)]);
    assert.equal(rows.length, 1);
    const stored = await apps.sql<{ row: string }>('select s::text as row from console_sessions s');
    assert.ok(stored.every(({ row }) => !row.includes(value)));
  });

  it('does not begin with another token, which is refused like an unknown key', async () => {
    const { apiKey } = await apps.newBrand();
    for (const token of ['nonsense', `${testAdminToken}x`, apiKey, 'ä'])
      assertRefused(await attempt(token), 'unauthenticated');
    assertRefused(await attempt(''), 'validation_failed', ['token']);
    assertRefused(await attempt(5), 'validation_failed', ['token']);
    assertRefused(await attempt('x'.repeat(513)), 'validation_failed', ['token']);
  });

  it('ends when it is signed out, at once and in every process', async () => {
    const browser = await signedIn();
    const other = createInternalApp({
      ...apps.services,
      adminToken: new AdminToken('another-token-of-another-process-0001'),
      consoleAllowsHttp: false,
    });
    const cookie = await attempt(testAdminToken).then(({ headers }) => cookieOf(headers));
    assert.equal((await withCookie(other, cookie).get('/console/session')).status, 200);
    const left = await withCookie(other, cookie).delete('/console/session');
    assert.equal(left.status, 204);
    assert.match(String(left.headers['set-cookie']), /^brandport-console=; Max-Age=0; Path=\//);
    for (const app of [internalApp, other])
      assertRefused(await withCookie(app, cookie).get('/console/session'), 'unauthenticated');
    assert.equal((await browser.get('/console/session')).status, 200, 'another session continues');
    await other.close();
  });

  it('ends after 60 minutes without a request, and lives on with one', async () => {
    const [active, idle] = [await signedIn(), await signedIn()];
    clock.advance(58 * minuteMs);
    assert.equal((await active.get('/internal/v1/brands')).status, 200);
    await apps.keyUsage.flush();
    clock.advance(2 * minuteMs);
    assert.equal((await active.get('/internal/v1/brands')).status, 200);
    assertRefused(await idle.get('/internal/v1/brands'), 'unauthenticated');
  });

  it('ends after 12 hours, also in use', async () => {
    const browser = await signedIn();
    for (let elapsed = 30; elapsed < 12 * 60; elapsed += 30) {
      clock.advance(30 * minuteMs);
      assert.equal((await browser.get('/console/session')).status, 200, `${elapsed} minutes`);
      await apps.keyUsage.flush();
    }
    clock.advance(29 * minuteMs);
    assert.equal((await browser.get('/console/session')).status, 200);
    clock.advance(minuteMs);
    assertRefused(await browser.get('/console/session'), 'unauthenticated');
  });

  // [internal-121]
  it('is not kept alive by the polls of an open page', async () => {
    const [polling, active] = [await signedIn(), await signedIn()];
    const poll = { 'x-brandport-console': 'poll' };
    for (let minutes = 0; minutes < 60; minutes += 20) {
      clock.advance(19 * minuteMs);
      const answers = [
        await polling.get('/internal/v1/brands', poll),
        await active.get('/internal/v1/brands'),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      );
      await apps.keyUsage.flush();
    }
    clock.advance(4 * minuteMs);
    assertRefused(await polling.get('/internal/v1/brands', poll), 'unauthenticated');
    assert.equal((await active.get('/internal/v1/brands')).status, 200);
  });

  it('is deleted after its end, by age or idleness, and not before', async () => {
    await apps.sql('delete from console_sessions');
    const browser = await signedIn();
    await signedIn();
    assert.equal(await purgeEndedSessions(apps.database, clock), 0);
    clock.advance(40 * minuteMs);
    await browser.get('/console/session');
    await apps.keyUsage.flush();
    clock.advance(20 * minuteMs);
    assert.equal(await purgeEndedSessions(apps.database, clock), 1);
    assert.equal((await browser.get('/console/session')).status, 200);
    clock.advance(12 * 60 * minuteMs);
    assert.equal(await purgeEndedSessions(apps.database, clock), 1);
    assert.deepEqual(await apps.sql('select id from console_sessions'), []);
  });

  it('is in the audit with its begin and its end', async () => {
    const browser = await signedIn();
    await browser.delete('/console/session');
    const { json } = await apps.admin.get('/audit?per_page=2');
    assert.deepEqual(
      json.data.map((entry: Record<string, string>) => [
        entry['action'],
        entry['actor'],
        entry['resource_type'],
      ]),
      [
        ['session.delete', 'admin-token', 'session'],
        ['session.create', 'admin-token', 'session'],
      ],
    );
    assert.equal(json.data[1].address, `203.0.113.${addresses}`);
    assert.equal(typeof json.data[1].request_id, 'string');
  });

  it('is not needed with a bearer token', async () => {
    const direct = { authorization: `Bearer ${testAdminToken}` };
    const { json } = await anonymous.get('/console/session', direct);
    assert.deepEqual([json.actor, json.role, json.expires_at], ['admin-token', 'administrator', null]);
    const left = await anonymous.request('DELETE', '/console/session', { headers: direct });
    assert.equal(left.status, 204);
  });
});

// [internal-123]
describe('signing in', () => {
  it('is limited to ten attempts a minute and address, right or wrong', async () => {
    const here = elsewhere();
    for (let i = 0; i < 9; i += 1) assertRefused(await attempt('wrong', here), 'unauthenticated');
    assert.equal((await attempt(testAdminToken, here)).status, 204);
    for (const token of ['wrong', testAdminToken]) {
      const refused = await attempt(token, here);
      assertRefused(refused, 'rate_limited');
      assert.ok(Number(refused.headers['retry-after']) >= 1);
    }
    assert.equal((await attempt(testAdminToken)).status, 204, 'another address');
  });

  it('sets a cookie that browsers only keep from https, when a proxy says that it is https', async () => {
    const https = { ...elsewhere(), 'x-forwarded-proto': 'https', 'x-forwarded-host': 'brandport.example' };
    const { status, headers } = await attempt(testAdminToken, https);
    assert.equal(status, 204);
    assert.match(String(headers['set-cookie']), /^__Host-brandport-console=[0-9a-f]{64}; .*; Secure$/);
    const cookie = cookieOf(headers);
    const caller = (more: object) =>
      anonymous.get('/console/session', { cookie, 'sec-fetch-site': 'same-origin', ...more });
    assert.equal((await caller(https)).status, 200);
    assertRefused(await caller({}), 'unauthenticated');
    const renamed = { cookie: cookie.replace('__Host-', '') };
    assertRefused(await caller({ ...https, ...renamed }), 'unauthenticated');
  });

  it('is refused over plain http, except on this machine', async () => {
    for (const host of ['brandport.example', '10.0.0.5:8081', 'localhost.example', '127.0.0.1.example']) {
      const refused = await attempt(testAdminToken, { ...elsewhere(), host });
      assertRefused(refused, 'forbidden');
    }
    for (const host of ['localhost', 'LOCALHOST:8081', '127.0.0.1:8081', '127.8.0.1', '[::1]:8081'])
      assert.equal((await attempt(testAdminToken, { ...elsewhere(), host })).status, 204, host);
  });

  it('is allowed over plain http if the operator accepts it', async () => {
    const risky = createInternalApp({
      ...apps.services,
      adminToken: new AdminToken(testAdminToken),
      consoleAllowsHttp: true,
    });
    const { status, headers } = await anonymousClient(risky).post(
      '/console/session',
      { token: testAdminToken },
      { ...elsewhere(), host: 'brandport.lan' },
    );
    assert.equal(status, 204);
    assert.match(cookieOf(headers), /^brandport-console=/);
    await risky.close();
  });

  it('is refused from a page of another site', async () => {
    for (const site of ['cross-site', 'same-site'])
      assertRefused(await attempt(testAdminToken, { ...elsewhere(), 'sec-fetch-site': site }), 'forbidden');
    for (const site of ['same-origin', 'none'])
      assert.equal((await attempt(testAdminToken, { ...elsewhere(), 'sec-fetch-site': site })).status, 204);
  });
});

// [internal-122] [D162]
describe('the cookie of a session', () => {
  it('counts only for requests that a page of this origin makes', async () => {
    const { cookie } = await signIn(internalApp, testAdminToken);
    const get = (headers: object) => anonymous.get('/internal/v1/brands', { cookie, ...headers });
    const post = (headers: object) =>
      anonymous.post('/internal/v1/brands', { name: 'Forged' }, { cookie, ...headers });
    const console = { 'x-brandport-console': '1' };
    for (const site of ['same-origin', 'none'])
      assert.equal((await get({ 'sec-fetch-site': site })).status, 200, site);
    for (const site of ['cross-site', 'same-site', 'same-origin, none', '', undefined]) {
      const headers = site === undefined ? {} : { 'sec-fetch-site': site };
      assertRefused(await get({ ...headers, ...console }), 'unauthenticated');
      assertRefused(await post({ ...headers, ...console }), 'unauthenticated');
    }
    assertRefused(await post({ 'sec-fetch-site': 'none', ...console }), 'unauthenticated');
    for (const value of [undefined, '0', 'true', '1, 1']) {
      const headers = value === undefined ? {} : { 'x-brandport-console': value };
      assertRefused(await post({ 'sec-fetch-site': 'same-origin', ...headers }), 'unauthenticated');
    }
    assert.equal((await post({ 'sec-fetch-site': 'same-origin', ...console })).status, 201);
  });

  it('is not looked at if there is a bearer token, which alone decides', async () => {
    const browser = await signIn(internalApp, testAdminToken);
    const wrong = await browser.get('/internal/v1/brands', { authorization: 'Bearer wrong' });
    assertRefused(wrong, 'unauthenticated');
    const right = { authorization: `Bearer ${testAdminToken}` };
    const cookie = 'brandport-console=none';
    assert.equal((await anonymous.get('/internal/v1/brands', { ...right, cookie })).status, 200);
  });

  it('is refused when it names no session', async () => {
    for (const value of ['', '0'.repeat(64), 'x', `${'0'.repeat(64)}\u00e9`, '%00', '"'])
      assertRefused(
        await withCookie(internalApp, `brandport-console=${value}`).get('/internal/v1/brands'),
        'unauthenticated',
      );
  });

  it('opens nothing on the client listener', async () => {
    const browser = await signIn(internalApp, testAdminToken);
    const response = await apps.clientApp.inject({
      url: '/v1/client/catalog/status',
      headers: { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(response.statusCode, 401);
  });
});
