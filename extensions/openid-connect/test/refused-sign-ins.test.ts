import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { TokenParts } from '../../../server/test/support/identity-provider/token-forge.ts';
import { type ConsoleBrowser, consoleUrl, type Visited } from './console-browser.ts';
import { createSingleSignOnApps } from './single-sign-on-apps.ts';

const { apps, provider, newBrowser } = await createSingleSignOnApps();
const minuteMs = 60_000;
const nowSeconds = () => Math.floor(Date.now() / 1000);
after(() => provider.replace(null));

/** Asserts that the answer is a page with this status that gives no session. Returns its text. */
async function assertPage(answer: Visited, status: number, browser: ConsoleBrowser): Promise<string> {
  assert.equal(answer.status, status, answer.text);
  assert.match(String(answer.headers['content-type']), /^text\/html/);
  assert.match(
    String(answer.headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[^']+'; form/,
  );
  assert.equal(answer.headers['set-cookie'], undefined);
  assert.ok(answer.text.includes(`href="${consoleUrl}"`));
  assert.equal((await browser.client.get('/console/session')).status, 401);
  return answer.text;
}

// [internal-129]
describe('a callback', () => {
  it('counts once', async () => {
    const browser = newBrowser();
    const callback = await browser.comeBackAs('ada');
    const both = await Promise.all([
      browser.visit(callback, 'cross-site'),
      browser.visit(callback, 'cross-site'),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [303, 400]);
    const again = await browser.visit(callback, 'cross-site');
    assert.equal(again.status, 400);
    assert.match(again.text, /This sign-in has ended/);
  });

  it('counts in the browser that began the sign-in only, which can still finish it', async () => {
    const [own, other] = [newBrowser(), newBrowser()];
    const callback = await own.comeBackAs('ada');
    await assertPage(await other.visit(callback, 'cross-site'), 400, other);
    await other.visit('sign-in');
    await assertPage(await other.visit(callback, 'cross-site'), 400, other);
    assert.equal((await own.visit(callback, 'cross-site')).status, 303);
  });

  it('counts with its own state only', async () => {
    const browser = newBrowser();
    const callback = new URL(await browser.comeBackAs('ada'));
    for (const state of [
      '0'.repeat(64),
      '',
      'x',
      null,
      "'; drop table console_sign_ins; --",
      '\u0000',
      'é'.repeat(64),
    ]) {
      const changed = new URL(callback);
      if (state === null) changed.searchParams.delete('state');
      else changed.searchParams.set('state', state);
      await assertPage(await browser.visit(changed.href, 'cross-site'), 400, browser);
    }
    assert.equal((await browser.visit(callback.href, 'cross-site')).status, 303);
  });

  it('counts for ten minutes', async () => {
    const browser = newBrowser();
    const [late, inTime] = [await browser.comeBackAs('ada'), await browser.comeBackAs('ada')];
    apps.clock.advance(9.9 * minuteMs);
    // The provider is asked for its configuration again after this time, and so follows the clock of the test.
    const begun = await browser.comeBackAs('ada');
    apps.clock.advance(0.2 * minuteMs);
    await assertPage(await browser.visit(late, 'cross-site'), 400, browser);
    assert.ok(inTime !== late);
    apps.clock.advance(-10.1 * minuteMs);
    assert.equal((await browser.visit(begun, 'cross-site')).status, 303);
  });

  it('is a page for each error of the provider', async () => {
    for (const [error, status] of [
      ['access_denied', 403],
      ['temporarily_unavailable', 503],
      ['invalid_scope', 503],
      ['<script>', 503],
    ] as const) {
      const browser = newBrowser();
      const { location } = await browser.visit('sign-in');
      const state = new URL(location).searchParams.get('state') as string;
      const query = new URLSearchParams({
        error,
        error_description: '<b>Call 1</b>',
        state,
        iss: provider.issuer,
      });
      const text = await assertPage(
        await browser.visit(`sign-in/callback?${query}`, 'cross-site'),
        status,
        browser,
      );
      assert.doesNotMatch(text, /<b>|<script>|Call 1/);
    }
  });

  it('is refused for a code that the provider does not know, and from another provider', async () => {
    for (const [name, value, status] of [
      ['code', 'unknown', 400],
      ['iss', 'https://evil.example', 403],
      ['code', null, 403],
    ] as const) {
      const browser = newBrowser();
      const callback = new URL(await browser.comeBackAs('ada'));
      if (value === null) callback.searchParams.delete(name);
      else callback.searchParams.set(name, value);
      await assertPage(await browser.visit(callback.href, 'cross-site'), status, browser);
    }
  });

  it('is a page if the user cancels at the provider', async () => {
    const browser = newBrowser();
    const text = await assertPage(await browser.signIn(null), 403, browser);
    assert.match(text, /not admitted you, or you have cancelled/);
  });
});

// [internal-129]
describe('a token of the provider', () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const claims = (more: object) => (parts: TokenParts) => ({
    ...parts,
    claims: { ...parts.claims, ...more },
  });
  const forgeries: Readonly<Record<string, (parts: TokenParts) => TokenParts>> = {
    'of another audience': claims({ aud: 'another-client' }),
    'of several audiences, for another party': claims({ aud: ['brandport-console', 'b'], azp: 'b' }),
    'of another issuer': claims({ iss: 'https://evil.example' }),
    'of another sign-in': claims({ nonce: 'another' }),
    'without a nonce': claims({ nonce: undefined }),
    'without a subject': claims({ sub: undefined }),
    'that expired more than a minute ago': claims({ iat: nowSeconds() - 600, exp: nowSeconds() - 70 }),
    'that is valid only later': claims({ nbf: nowSeconds() + 600 }),
    'signed with another key': (parts) => ({ ...parts, key: other }),
    'signed with an unknown key': (parts) => ({ ...parts, header: { ...parts.header, kid: 'unknown' } }),
    'without a signature': (parts) => ({ ...parts, header: { alg: 'none' } }),
    'signed with the public key as a secret': (parts) => ({
      ...parts,
      header: { ...parts.header, alg: 'HS256' },
    }),
  };
  for (const [name, forge] of Object.entries(forgeries))
    it(`is refused: ${name}`, async () => {
      provider.forge(forge);
      const browser = newBrowser();
      const answer = await browser.signIn('ada');
      provider.forge(null);
      const text = await assertPage(answer, 403, browser);
      assert.match(text, /does not prove who you are/);
    });

  it('is accepted while the clocks differ by less than a minute', async () => {
    for (const forge of [
      claims({ iat: nowSeconds() - 90, exp: nowSeconds() - 40 }),
      claims({ nbf: nowSeconds() + 40, iat: nowSeconds() + 40 }),
    ]) {
      provider.forge(forge);
      const answer = await newBrowser().signIn('ada');
      provider.forge(null);
      assert.equal(answer.status, 303, answer.text);
    }
  });
});

// [internal-131]
describe('a user without a role', () => {
  it('receives a page that says which claim was read, and what it holds', async () => {
    const kay = newBrowser();
    const text = await assertPage(await kay.signIn('kay'), 403, kay);
    assert.match(
      text,
      /Its claim “roles” has “unknown &lt;b&gt;”, “other”, which BRANDPORT_OIDC_ROLES does not map/,
    );
    const nora = newBrowser();
    assert.match(await assertPage(await nora.signIn('nora'), 403, nora), /It sent no claim “roles”\./);
  });
});

describe('beginning a sign-in', () => {
  // [internal-123]
  it('is refused from another site, and over plain http from another machine', async () => {
    const browser = newBrowser();
    await assertPage(await browser.visit('sign-in', 'cross-site'), 403, browser);
    await assertPage(await browser.visit('http://brandport.example/console/sign-in'), 403, browser);
    await assertPage(await browser.visit('http://brandport.example/console/sign-in/callback'), 403, browser);
  });

  it('has no other method than GET', async () => {
    for (const path of ['sign-in', 'sign-in/callback', 'sign-out']) {
      const { statusCode } = await apps.internalApp.inject({ method: 'POST', url: `/console/${path}` });
      assert.equal(statusCode, 405, path);
    }
  });
});
