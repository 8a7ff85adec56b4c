import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createTestApps } from '../../../../test/support/test-apps.ts';

const apps = await createTestApps();

const listeners = [
  { name: 'client', app: apps.clientApp, prefix: '' },
  { name: 'internal', app: apps.internalApp, prefix: '/internal' },
];

for (const { name, app, prefix } of listeners) {
  const page = `${prefix}/docs/`;
  const paths = [
    `${prefix}/openapi.json`,
    `${prefix}/docs`,
    page,
    `${page}reference.css`,
    `${page}reference.js`,
  ];

  /** The resources that the page's tags load, as a browser resolves them. */
  const loaded = async () => {
    const { body } = await app.inject(page);
    const tags = [...body.matchAll(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="([^"]*)"/g)];
    return tags.map(([, url]) => new URL(url as string, `http://here.test${page}`));
  };

  describe(`the reference of the ${name} listener`, () => {
    it('loads its style and script from the listener itself, and nothing else', async () => {
      const urls = (await loaded()).filter(({ protocol }) => protocol !== 'data:');
      assert.deepEqual(
        urls.map(({ host, pathname }) => [host, pathname]),
        [
          ['here.test', `${page}reference.css`],
          ['here.test', `${page}reference.js`],
        ],
      );
      for (const { pathname, search } of urls) {
        const file = await app.inject(pathname + search);
        assert.equal(file.statusCode, 200);
        assert.match(String(file.headers['content-type']), /^text\/(css|javascript);/);
        assert.ok(file.body.length > 0);
      }
    });

    it('describes every operation of the document, with every parameter and field', async () => {
      const document = (await app.inject(`${prefix}/openapi.json`)).json();
      const { body } = await app.inject(page);
      for (const [path, byMethod] of Object.entries<object>(document.paths))
        for (const [method, operation] of Object.entries(byMethod)) {
          const { operationId: id, parameters, responses } = operation;
          const section = body.split(`<h3 id="${id}">`)[1]?.split('</section>')[0] ?? '';
          assert.ok(section.includes(`>${method.toUpperCase()}</span> <code>${path}</code>`), id);
          for (const { name } of parameters.filter((one: object) => 'name' in one))
            assert.ok(section.includes(`<code class="name">${name}</code>`), `${id} ${name}`);
          for (const status of Object.keys(responses))
            assert.ok(section.includes(`<strong>${status}</strong>`));
        }
      const properties = new Set<string>();
      const collect = (value: unknown) => {
        if (typeof value !== 'object' || value === null) return;
        for (const [name, inner] of Object.entries(value)) {
          if (name === 'properties') for (const field of Object.keys(inner)) properties.add(field);
          collect(inner);
        }
      };
      collect(document.components.schemas);
      // In the description and the example of every error.
      for (const name of ['code', 'message', 'doc_url']) properties.delete(name);
      const missing = [...properties].filter((name) => !body.includes(`<code class="name">${name}</code>`));
      assert.deepEqual(missing, []);
    });

    // [platform-83]
    it('leads to the paths from where the page came from', async () => {
      const { body } = await app.inject(page);
      const [, root] = body.match(/data-root="([^"]+)"/) ?? [];
      for (const base of ['http://here.test/', 'https://api.test:8443/brandport/', 'https://api.test/a/b/'])
        assert.equal(new URL(root ?? '', `${base.slice(0, -1)}${page}`).href, base);
    });

    it('forbids the browser to load anything from elsewhere, and any script or style inside of the page', async () => {
      const { headers, body } = await app.inject(page);
      const policy = new Map(
        String(headers['content-security-policy'])
          .split('; ')
          .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
      );
      assert.equal(policy.get('default-src'), "'none'");
      assert.equal(policy.get('script-src'), "'self'");
      assert.equal(policy.get('connect-src'), "'self'");
      for (const sources of policy.values()) assert.doesNotMatch(sources, /\*|http|unsafe/);
      assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|<[^>]*\s(?:style|on\w+)=/);
    });

    it('is found with and without the slash at its end, also behind a prefix of a proxy', async () => {
      const redirect = await app.inject(`${prefix}/docs`);
      assert.equal(redirect.statusCode, 301);
      assert.equal(redirect.headers['location'], 'docs/');
      assert.equal((await app.inject(page)).statusCode, 200);
    });

    it('has its files cached permanently under addresses that change with their bytes, and only there', async () => {
      for (const { pathname, search } of (await loaded()).filter(({ protocol }) => protocol !== 'data:')) {
        const versioned = await app.inject(pathname + search);
        assert.equal(versioned.headers['cache-control'], 'public, max-age=31536000, immutable');
      }
      for (const other of [`${page}reference.js`, `${page}reference.js?v=0`, page])
        assert.equal((await app.inject(other)).headers['cache-control'], 'no-store', other);
    });

    it('is compressed for clients that accept it, and plain for others', async () => {
      const url = page;
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
      for (const url of [`${page}x`, `${page}../openapi.yaml`, `${page}start.js`])
        assert.equal((await app.inject(url)).json().code, 'not_found', url);
    });
  });
}
