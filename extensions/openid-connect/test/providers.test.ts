import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { after, describe, it } from 'node:test';
import { IdentityProvider, SignInError } from '../src/identity-provider.ts';
import { createSingleSignOnApps } from './single-sign-on-apps.ts';

// [internal-132] [D176]
describe('a provider that cannot be used', async () => {
  const { apps, provider, config, newBrowser } = await createSingleSignOnApps();
  const fault = (status: number, body: string) => (_request: unknown, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  };
  const { issuer } = provider;

  const answers: Readonly<Record<string, Parameters<typeof provider.replace>[0]>> = {
    'that fails': fault(503, '{}'),
    'that has no configuration': fault(404, '{}'),
    'that answers no JSON': fault(200, '<html>'),
    'that is another one': fault(200, JSON.stringify({ issuer: 'https://evil.example' })),
    'that has no pages': fault(200, JSON.stringify({ issuer })),
    'that closes the connection': (request) => request.socket.destroy(),
    'that sends without end': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => void (response.writable && response.write(' '.repeat(65_536), more));
      more();
    },
  };
  for (const [name, answer] of Object.entries(answers))
    it(`is a page with 503: one ${name}`, async () => {
      provider.replace(answer);
      const { status, text } = await newBrowser().visit('sign-in');
      provider.replace(null);
      assert.equal(status, 503);
      assert.match(text, /The identity provider cannot be used at the moment/);
    });

  it('is asked again at the next sign-in, once for all that wait', async () => {
    const before = provider.requests.length;
    const begun = await Promise.all(
      [newBrowser(), newBrowser(), newBrowser()].map((one) => one.visit('sign-in')),
    );
    assert.deepEqual(
      begun.map(({ status }) => status),
      [303, 303, 303],
    );
    assert.deepEqual(provider.requests.slice(before), ['/.well-known/openid-configuration']);
  });

  it('is a page with 503 in the middle of a sign-in, which can be begun again', async () => {
    const browser = newBrowser();
    const callback = await browser.comeBackAs('ada');
    provider.replace(fault(500, ''));
    const { status } = await browser.visit(callback, 'cross-site');
    provider.replace(null);
    assert.equal(status, 503);
    assert.equal((await browser.signIn('ada')).status, 303);
  });

  it('is a page with 503 if it does not know the client', async () => {
    const wrong = new IdentityProvider({ ...config, clientSecret: 'another secret' }, { clock: apps.clock });
    const secrets = { state: 's'.repeat(43), nonce: 'n', codeVerifier: 'v'.repeat(43) };
    const search = `?${new URLSearchParams({ code: 'c', state: secrets.state, iss: issuer })}`;
    await assert.rejects(wrong.claimsOf(search, secrets), (error: SignInError) => {
      assert.deepEqual(
        [error.status, error.reason],
        [503, 'the provider answered invalid_client to the client'],
      );
      return true;
    });
  });

  it('does not hold a sign-in up: headers or a body that never come end at the limit', async () => {
    const silent = createServer((request, response) => {
      if (request.url?.startsWith('/half/') === true) response.writeHead(200).write('{');
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    after(() => silent.closeAllConnections());
    after(() => silent.close());
    const { port } = silent.address() as { port: number };
    for (const path of ['', '/half/']) {
      const stalled = { ...config, issuer: `http://127.0.0.1:${port}${path}` };
      const slow = new IdentityProvider(stalled, { clock: apps.clock, timeoutMs: 100 });
      await assert.rejects(
        slow.signOutUrl(),
        (error) => error instanceof SignInError && error.status === 503,
      );
    }
  });

  it('leaves tokens, and the rest of the service, as they are', async () => {
    await provider.stop();
    apps.clock.advance(11 * 60_000);
    assert.equal((await newBrowser().visit('sign-in')).status, 503);
    assert.equal((await newBrowser().visit('sign-out')).status, 503);
    assert.equal((await apps.admin.get('/brands')).status, 200);
  });
});

// [internal-131]
describe('a provider of another kind', () => {
  it('may send the claims with the user information only, and take the secret in the body', async () => {
    const { provider, newBrowser } = await createSingleSignOnApps({
      provider: { claimsInUserInfo: true, clientAuthentication: 'client_secret_post' },
    });
    const browser = newBrowser();
    const { status, text } = await browser.signIn('ada');
    assert.equal(status, 303, text);
    const { json } = await browser.client.get('/console/session');
    assert.deepEqual([json.role, json.actor_name], ['administrator', 'Ada Lovelace']);
    assert.ok(provider.requests.includes('/me'));
  });

  it('may nest its roles', async () => {
    const { newBrowser } = await createSingleSignOnApps({ config: { rolesClaim: 'realm_access.roles' } });
    const browser = newBrowser();
    assert.equal((await browser.signIn('kay')).status, 303);
    assert.equal((await browser.client.get('/console/session')).json.role, 'administrator');
  });
});
