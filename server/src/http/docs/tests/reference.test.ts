import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import inter from '@fontsource-variable/inter/package.json' with { type: 'json' };
import { buildPages } from '../../../../scripts/built-pages/build-pages.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';

await buildPages();
const apps = await createTestApps();

const listeners = [
  { name: 'client', app: apps.clientApp, prefix: '' },
  { name: 'internal', app: apps.internalApp, prefix: '/internal' },
];

for (const { name, app, prefix } of listeners) {
  const page = `${prefix}/docs/`;
  const fileNames = ['look.css', 'scalar.js', 'init.js'];
  const paths = [`${prefix}/openapi.json`, `${prefix}/docs`, page, ...fileNames.map((file) => page + file)];

  /** The resources that the page's tags load, as a browser resolves them. */
  const loaded = async () => {
    const { body } = await app.inject(page);
    const tags = [...body.matchAll(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="([^"]*)"/g)];
    const urls = tags.map(([, url]) => new URL(url as string, `http://here.test${page}`));
    return urls.filter(({ protocol }) => protocol !== 'data:');
  };

  describe(`the reference of the ${name} listener`, () => {
    it('loads its files from the listener itself, and nothing else', async () => {
      const urls = await loaded();
      assert.deepEqual(
        urls.map(({ host, pathname }) => [host, pathname]),
        fileNames.map((file) => ['here.test', page + file]),
      );
      for (const { pathname, search } of urls) {
        const file = await app.inject(pathname + search);
        assert.equal(file.statusCode, 200);
        assert.match(String(file.headers['content-type']), /^text\/(css|javascript);/);
        assert.ok(file.body.length > 0);
      }
    });

    // [platform-83]
    it('leads to the paths from where the page came from', async () => {
      const { body } = await app.inject(page);
      const [, root] = body.match(/data-root="([^"]+)"/) ?? [];
      for (const base of ['http://here.test/', 'https://api.test:8443/brandport/', 'https://api.test/a/b/'])
        assert.equal(new URL(root ?? '', `${base.slice(0, -1)}${page}`).href, base);
    });

    it('leads back to the console where there is one', async () => {
      const [, link] = (await app.inject(page)).body.match(/<a href="([^"]+)">Console</) ?? [];
      const path = link === undefined ? null : new URL(link, `http://here.test${page}`).pathname;
      assert.equal(path, name === 'internal' ? '/console/' : null);
    });

    it('says without a script where the same is', async () => {
      const { body } = await app.inject(page);
      const [, text = ''] = body.match(/<noscript>([\s\S]*)<\/noscript>/) ?? [];
      const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
      assert.deepEqual(links, ['../openapi.json', 'guides/', '../llms.txt']);
      for (const href of links) {
        const { pathname } = new URL(href, `http://here.test${page}`);
        assert.equal((await app.inject(pathname)).statusCode, 200, pathname);
      }
    });

    it('forbids the browser to load anything from elsewhere, and any script inside of the page', async () => {
      const { headers, body } = await app.inject(page);
      const policy = policyOf(headers);
      assert.equal(policy.get('default-src'), "'none'");
      assert.equal(policy.get('script-src'), "'self'");
      assert.equal(policy.get('connect-src'), "'self'");
      for (const [directive, sources] of policy)
        assert.doesNotMatch(sources, directive === 'style-src' ? /\*|http|eval/ : /\*|http|unsafe/);
      assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|<[^>]*\s(?:style|on\w+)=/);
    });

    it('is the only page that allows styles inside of it', async () => {
      const others = ['docs/guides/', 'docs/guides/errors/not_found', 'docs/search?q=stock', 'sdk/'].map(
        (path) => `${prefix}/${path}`,
      );
      for (const url of name === 'client' ? others : [...others, '/console/']) {
        const policy = policyOf((await app.inject({ url, headers: { accept: 'text/html' } })).headers);
        assert.equal(policy.get('style-src'), "'self'", url);
      }
      const own = policyOf((await app.inject(page)).headers);
      assert.equal(own.get('style-src'), "'self' 'unsafe-inline'");
    });

    it('is found with and without the slash at its end, also behind a prefix of a proxy', async () => {
      const redirect = await app.inject(`${prefix}/docs`);
      assert.equal(redirect.statusCode, 301);
      assert.equal(redirect.headers['location'], 'docs/');
      assert.equal((await app.inject(page)).statusCode, 200);
    });

    it('has its files cached permanently under addresses that change with their bytes, and only there', async () => {
      for (const { pathname, search } of await loaded()) {
        const versioned = await app.inject(pathname + search);
        assert.equal(versioned.headers['cache-control'], 'public, max-age=31536000, immutable');
      }
      for (const other of [`${page}scalar.js`, `${page}init.js?v=0`, page])
        assert.equal((await app.inject(other)).headers['cache-control'], 'no-store', other);
    });

    it('has its script compressed for clients that accept it, and plain for others', async () => {
      const url = `${page}scalar.js`;
      const plain = await app.inject(url);
      for (const encoding of ['gzip', 'br;q=0.5, gzip', 'GZIP']) {
        const gzipped = await app.inject({ url, headers: { 'accept-encoding': encoding } });
        assert.equal(gzipped.headers['content-encoding'], 'gzip', encoding);
        assert.equal(gzipped.headers['vary'], 'accept-encoding');
        assert.ok(gunzipSync(gzipped.rawPayload).equals(plain.rawPayload));
      }
      const small = await app.inject({ url, headers: { 'accept-encoding': 'br' } });
      assert.ok(small.rawPayload.length < 1_250_000, String(small.rawPayload.length));
      for (const encoding of ['identity', 'gzip;q=0', 'deflate', 'gzip; q=0.0, zstd']) {
        const refused = await app.inject({ url, headers: { 'accept-encoding': encoding } });
        assert.equal(refused.headers['content-encoding'], undefined, encoding);
      }
      assert.equal(plain.headers['vary'], 'accept-encoding');
    });

    it('has the font of the console for itself and the guides, permanently cached', async () => {
      for (const sheet of [`${page}look.css`, `${page}guides/guides.css`]) {
        const [, name = ''] = (await app.inject(sheet)).body.match(/url\("([^"]+)"\)/) ?? [];
        // A package of another version has another name.
        assert.ok(name.endsWith(`inter-${inter.version}.woff2`), name);
        const { rawPayload, headers } = await app.inject(new URL(name, `http://here.test${sheet}`).pathname);
        assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
        assert.equal(rawPayload.subarray(0, 4).toString(), 'wOF2');
      }
      for (const url of [page, `${page}guides/`])
        assert.equal(policyOf((await app.inject(url)).headers).get('font-src'), "'self'", url);
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
      for (const url of [`${page}x`, `${page}../openapi.yaml`, `${page}start.js`])
        assert.equal((await app.inject(url)).json().code, 'not_found', url);
    });
  });
}

function policyOf(headers: Readonly<Record<string, unknown>>): Map<string, string> {
  const directives = String(headers['content-security-policy']).split('; ');
  return new Map(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}
