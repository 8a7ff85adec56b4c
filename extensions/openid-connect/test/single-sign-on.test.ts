import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { purgeExpiredSignIns } from '../../../server/src/access/sessions/session-store.ts';
import { anonymousClient } from '../../../server/src/access/sessions/tests/browser-client.ts';
import { consoleUrl } from './console-browser.ts';
import { createSingleSignOnApps } from './single-sign-on-apps.ts';

const { apps, provider, newBrowser } = await createSingleSignOnApps();
const source = provider.issuer.replace('http://', '');
const minuteMs = 60_000;

// [internal-128] [D176]
describe('single sign-on', () => {
  it('asks the provider nothing before the first sign-in', () => {
    assert.deepEqual(provider.requests, []);
  });

  it('is offered where it is configured', async () => {
    const { status, json } = await anonymousClient(apps.internalApp).get('/console/sign-in-methods');
    assert.equal(status, 200);
    assert.deepEqual(json, { single_sign_on: { issuer: provider.issuer } });
  });

  it('leads to the provider by authorization code, with PKCE, state and nonce', async () => {
    const { status, location, headers } = await newBrowser().visit('sign-in', 'same-origin');
    assert.equal(status, 303);
    const { origin, searchParams } = new URL(location);
    assert.equal(origin, provider.issuer);
    const asked = Object.fromEntries(searchParams);
    const { state, nonce, code_challenge: challenge, ...rest } = asked;
    for (const value of [state, nonce, challenge]) assert.match(String(value), /^[\w-]{43,64}$/);
    assert.equal(new Set([state, nonce, challenge]).size, 3);
    assert.deepEqual(rest, {
      client_id: provider.clientId,
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${consoleUrl}sign-in/callback`,
      scope: 'openid profile email roles',
    });
    assert.match(
      String(headers['set-cookie']),
      /^brandport-sign-in=[0-9a-f]{64}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
  });

  // [internal-130] [internal-131]
  it('begins a session with the role of the claim, and leads to the console', async () => {
    const browser = newBrowser();
    const arrived = await browser.signIn('ada');
    assert.deepEqual([arrived.status, arrived.location], [303, consoleUrl], arrived.text);
    assert.match(
      String(arrived.headers['set-cookie']),
      /^brandport-console=[0-9a-f]{64}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const { status, json } = await browser.client.get('/console/session');
    assert.equal(status, 200);
    const { expires_at: end, ...who } = json;
    assert.deepEqual(who, {
      actor: `ada@example.com (${source})`,
      actor_name: 'Ada Lovelace',
      role: 'administrator',
      brand_ids: null,
    });
    assert.equal(Date.parse(end) - apps.clock.now() > 11.9 * 60 * minuteMs, true);
    assert.equal((await browser.client.post('/internal/v1/brands', { name: 'By Ada' })).status, 201);
    assert.equal((await browser.client.post('/internal/v1/brands', { name: 'By Ada, too' })).status, 201);
  });

  it('is in the audit and the list of sessions under the name of the user', async () => {
    const browser = newBrowser();
    await browser.signIn('ada');
    const actor = `ada@example.com (${source})`;
    const { json } = await apps.admin.get(`/audit?actor=${encodeURIComponent(actor)}&action=session.create`);
    const [entry] = json.data;
    assert.deepEqual([entry.actor, entry.actor_name], [actor, 'Ada Lovelace']);
    assert.deepEqual([entry.details.issuer, entry.details.subject], [provider.issuer, 'ada']);
    const sessions = await apps.admin.get('/sessions');
    const own = sessions.json.data[0];
    assert.deepEqual([own.actor, own.actor_name, own.role], [actor, 'Ada Lovelace', 'administrator']);
    assert.equal((await browser.client.delete('/console/session')).status, 204);
    assert.equal((await browser.client.get('/console/session')).status, 401);
  });

  it('unites the brands of an operator, and a claim that is a string is one value', async () => {
    const otto = newBrowser();
    await otto.signIn('otto');
    const first = await otto.client.get('/console/session');
    assert.deepEqual(
      [first.json.actor, first.json.actor_name, first.json.role, first.json.brand_ids],
      [`otto (${source})`, null, 'operator', [1, 2]],
    );
    const { json: brands } = await otto.client.get('/internal/v1/brands');
    assert.deepEqual(brands.data.map(({ id }: { id: number }) => id).sort(), [1, 2]);

    const sue = newBrowser();
    await sue.signIn('sue');
    const second = await sue.client.get('/console/session');
    // The address is not verified, so the subject names her.
    assert.deepEqual(
      [second.json.actor, second.json.role, second.json.brand_ids],
      [`sue (${source})`, 'support', null],
    );
    assert.equal((await sue.client.post('/internal/v1/brands', { name: 'No' })).status, 403);
  });

  it('leads to the place in the console where it was begun, and nowhere else', async () => {
    for (const [asked, place] of [
      ['brands/1/keys?state=active', 'brands/1/keys?state=active'],
      ['/console/audit', 'audit'],
      ['/console/%E2%98%83?q=%00', '%E2%98%83?q=%00'],
      ['https://evil.example/console/', ''],
      ['//evil.example/console/', ''],
      ['\\\\evil.example/console/', ''],
      ['http://127.0.0.1:8081@evil.example/console/', ''],
      ['javascript:alert(1)', ''],
      ['../internal/docs/', ''],
      ['sign-in', ''],
      [`brands?q=${'x'.repeat(3_000)}`, ''],
    ]) {
      const browser = newBrowser();
      const arrived = await browser.signIn('ada', `sign-in?return_to=${encodeURIComponent(asked as string)}`);
      assert.deepEqual([arrived.status, arrived.location], [303, `${consoleUrl}${place}`], asked);
    }
  });

  it('can be finished in two tabs of one browser', async () => {
    const browser = newBrowser();
    const [one, two] = [
      await browser.comeBackAs('ada'),
      await browser.comeBackAs('ada', 'sign-in?return_to=audit'),
    ];
    assert.equal((await browser.visit(one, 'cross-site')).location, consoleUrl);
    assert.equal((await browser.visit(two, 'cross-site')).location, `${consoleUrl}audit`);
  });

  it('leads to the page of the provider that ends the session there', async () => {
    const { status, location } = await newBrowser().visit('sign-out', 'same-origin');
    assert.equal(status, 303);
    const { origin, pathname, searchParams } = new URL(location);
    assert.deepEqual([origin, pathname], [provider.issuer, '/session/end']);
    assert.deepEqual(Object.fromEntries(searchParams), {
      client_id: provider.clientId,
      post_logout_redirect_uri: consoleUrl,
    });
  });

  // [internal-123]
  it('is limited to ten attempts a minute and address, as tokens are', async () => {
    const browser = newBrowser();
    for (let i = 0; i < 10; i += 1) assert.equal((await browser.visit('sign-in')).status, 303);
    const refused = await browser.visit('sign-in');
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.match(String(refused.headers['content-type']), /^text\/html/);
  });

  it('keeps nothing that would help a reader of the database, and deletes what was not finished', async () => {
    await apps.sql('delete from console_sign_ins');
    const { location, headers } = await newBrowser().visit('sign-in');
    const [row] = await apps.sql('select * from console_sign_ins');
    const stored = JSON.stringify(row);
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    for (const value of [...new URL(location).searchParams.values(), cookie.split('=')[1]])
      if (String(value).length > 30 && !String(value).includes('/'))
        assert.ok(!stored.includes(String(value)));
    assert.equal(await purgeExpiredSignIns(apps.database, apps.clock), 0);
    apps.clock.advance(10 * minuteMs);
    assert.equal(await purgeExpiredSignIns(apps.database, apps.clock), 1);
    assert.deepEqual(await apps.sql('select * from console_sign_ins'), []);
  });
});
