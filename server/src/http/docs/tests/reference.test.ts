import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();

/** Runs the start script as the page at `url` does, and returns what it passes to the reference. */
function configurationOf(script: string, url: string) {
  const created: [string, Record<string, unknown>][] = [];
  const Scalar = {
    createApiReference: (...passed: [string, Record<string, unknown>]) => created.push(passed),
  };
  runInNewContext(script, { Scalar, URL, location: new URL(url) });
  assert.equal(created.length, 1);
  const [element, configuration] = created[0] ?? [];
  assert.equal(element, '#app');
  return JSON.parse(JSON.stringify(configuration));
}

const listeners = [
  { name: 'client', app: apps.clientApp, prefix: '' },
  { name: 'internal', app: apps.internalApp, prefix: '/internal' },
];

for (const { name, app, prefix } of listeners) {
  const page = `${prefix}/docs/`;
  const paths = [`${prefix}/openapi.json`, `${prefix}/docs`, page, `${page}start.js`, `${page}scalar.js`];

  /** The resources that the page's tags load, as a browser resolves them. */
  const loaded = async () => {
    const { body } = await app.inject(page);
    const tags = [...body.matchAll(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="([^"]*)"/g)];
    return tags.map(([, url]) => new URL(url as string, `http://here.test${page}`));
  };

  describe(`the reference of the ${name} listener`, () => {
    it('loads its scripts from the listener itself, and nothing else', async () => {
      const urls = (await loaded()).filter(({ protocol }) => protocol !== 'data:');
      assert.deepEqual(
        urls.map(({ host, pathname }) => [host, pathname]),
        [
          ['here.test', `${page}scalar.js`],
          ['here.test', `${page}start.js`],
        ],
      );
      for (const { pathname, search } of urls) {
        const script = await app.inject(pathname + search);
        assert.equal(script.statusCode, 200);
        assert.match(String(script.headers['content-type']), /^text\/javascript/);
        assert.ok(script.body.length > 0);
      }
    });

    it('starts from the document next to it, with everything off that talks to other hosts', async () => {
      const { body } = await app.inject(`${page}start.js`);
      const configuration = configurationOf(body, `http://here.test${page}`);
      const { pathname } = new URL(configuration.url, `http://here.test${page}`);
      assert.equal(pathname, `${prefix}/openapi.json`);
      assert.equal(configuration.telemetry, false);
      assert.equal(configuration.withDefaultFonts, false);
      assert.deepEqual([configuration.agent, configuration.mcp], [{ disabled: true }, { disabled: true }]);
      assert.equal(configuration.showDeveloperTools, 'never');
      assert.doesNotMatch(body, /https?:\/\//);
    });

    // [platform-83]
    it('sends requests to where the page came from, also behind a prefix', async () => {
      const { body } = await app.inject(`${page}start.js`);
      for (const root of ['http://here.test', 'https://api.test:8443/brandport', 'https://api.test/a/b'])
        assert.deepEqual(configurationOf(body, root + page)['servers'], [{ url: root }]);
    });

    it('forbids the browser to load anything from elsewhere, or any script inside of the page', async () => {
      const { headers, body } = await app.inject(page);
      const policy = new Map(
        String(headers['content-security-policy'])
          .split('; ')
          .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
      );
      assert.equal(policy.get('default-src'), "'none'");
      assert.equal(policy.get('script-src'), "'self'");
      assert.equal(policy.get('connect-src'), "'self'");
      for (const sources of policy.values()) assert.doesNotMatch(sources, /\*|http|unsafe-eval/);
      assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)/);
    });

    it('is found with and without the slash at its end, also behind a prefix of a proxy', async () => {
      const redirect = await app.inject(`${prefix}/docs`);
      assert.equal(redirect.statusCode, 301);
      assert.equal(redirect.headers['location'], 'docs/');
      assert.equal((await app.inject(page)).statusCode, 200);
    });

    it('has its large script cached permanently under an address that changes with its bytes, and only there', async () => {
      const [url] = (await loaded()).filter(({ pathname }) => pathname.endsWith('scalar.js'));
      const versioned = await app.inject(`${url?.pathname}${url?.search}`);
      assert.equal(versioned.headers['cache-control'], 'public, max-age=31536000, immutable');
      for (const other of [`${page}scalar.js`, `${page}scalar.js?v=0`, page, `${page}start.js`])
        assert.equal((await app.inject(other)).headers['cache-control'], 'no-store', other);
    });

    it('sends the large script compressed to who takes it, and plain to who does not', async () => {
      const url = `${page}scalar.js`;
      const plain = await app.inject(url);
      for (const encoding of ['gzip', 'br;q=0.5, gzip', 'GZIP']) {
        const gzipped = await app.inject({ url, headers: { 'accept-encoding': encoding } });
        assert.equal(gzipped.headers['content-encoding'], 'gzip', encoding);
        assert.equal(gzipped.headers['vary'], 'accept-encoding');
        assert.ok(gunzipSync(gzipped.rawPayload).equals(plain.rawPayload));
      }
      for (const encoding of ['identity', 'gzip;q=0', 'deflate', 'gzip; q=0.0, zstd']) {
        const refused = await app.inject({ url, headers: { 'accept-encoding': encoding } });
        assert.equal(refused.headers['content-encoding'], undefined, encoding);
      }
      assert.equal(plain.headers['vary'], 'accept-encoding');
    });

    it('answers HEAD like GET without the body, and carries a request id', async () => {
      for (const url of paths) {
        const [got, headed] = await Promise.all([app.inject(url), app.inject({ method: 'HEAD', url })]);
        assert.equal(headed.statusCode, got.statusCode, url);
        assert.equal(headed.body, '', url);
        assert.equal(headed.headers['content-length'], got.headers['content-length'], url);
        assert.equal(typeof got.headers['x-request-id'], 'string', url);
      }
    });

    it('answers other methods with 405 and Allow, and other paths with 404, in the envelope', async () => {
      for (const url of paths)
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
          const response = await app.inject({ method, url });
          assert.equal(response.statusCode, 405, `${method} ${url}`);
          assert.equal(response.headers['allow'], 'GET, HEAD');
          assert.equal(response.json().code, 'method_not_allowed');
        }
      for (const url of [`${page}x`, `${page}../openapi.yaml`, `${page}js/scalar.js`])
        assert.equal((await app.inject(url)).json().code, 'not_found', url);
    });
  });
}
