import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { buildPages } from '../../../../scripts/built-pages/build-pages.ts';
import { readGuideFiles } from '../../../../scripts/built-pages/guide-library.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { errorCatalogue } from '../../../errors/error-catalogue.ts';

await buildPages();
const apps = await createTestApps({ trustedProxies: ['10.0.0.0/8'], limits: { address: 5 } });
const listeners = [
  { name: 'client', app: apps.clientApp, prefix: '' },
  { name: 'internal', app: apps.internalApp, prefix: '/internal' },
];
let others = 0;
/** A client address that has sent nothing yet. */
const otherAddress = () => {
  others += 1;
  return `203.0.113.${others}`;
};
const slugs = [...(await readGuideFiles()).keys()];

for (const { name, app, prefix } of listeners) {
  const index = `${prefix}/docs/guides/`;
  const page = `${index}quick-start`;

  // [platform-87]
  describe(`the guides of the ${name} listener`, () => {
    it('are all served, as a page and as Markdown, and are all in the index', async () => {
      const list = (await app.inject(index)).body;
      for (const slug of slugs) {
        const isForOperators = slug.startsWith('operators/');
        if (slug === 'operators') continue;
        // An address may meet only a few pages that do not exist.
        const remoteAddress = otherAddress();
        const [html, markdown] = await Promise.all([
          app.inject({ url: index + slug, remoteAddress }),
          app.inject({ url: `${index}${slug || 'index'}.md`, remoteAddress }),
        ]);
        if (isForOperators && name === 'client') {
          assert.deepEqual([html.statusCode, markdown.statusCode], [404, 404], slug);
          continue;
        }
        assert.equal(html.statusCode, 200, slug);
        assert.equal(html.headers['content-type'], 'text/html; charset=utf-8');
        assert.match(html.body, /^<!doctype html>\n<html lang="en">/);
        assert.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8');
        assert.match(markdown.body, /^# \S/, slug);
        if (!slug.startsWith('errors/') && slug !== '') assert.ok(list.includes(`href="${slug}"`), slug);
      }
    });

    it('has a page for every error code, with its cause, fix and retry', async () => {
      for (const [code, { status, message }] of Object.entries(errorCatalogue)) {
        const { body, statusCode } = await app.inject(`${index}errors/${code}.md`);
        assert.equal(statusCode, 200, code);
        assert.ok(body.startsWith(`# \`${code}\`\n\n**${status} `), body.slice(0, 80));
        assert.ok(body.includes(message));
        for (const part of ['**Cause.** ', '**Fix.** ', '**Retry.** ', '## Returned by'])
          assert.ok(body.includes(part), `${code}: ${part}`);
      }
    });

    it('lead back to the console where there is one', async () => {
      for (const url of [index, page, `${index}errors/validation_failed`, `${prefix}/docs/search?q=sku`]) {
        const { body } = await app.inject({ url, remoteAddress: otherAddress() });
        const [, link] = /<a href="([^"]+)">Console<\/a>/.exec(body) ?? [];
        const path = link === undefined ? null : new URL(link, `http://brandport${url}`).pathname;
        assert.equal(path, name === 'internal' ? '/console/' : null, url);
      }
    });

    it('are Markdown for a client that asks for it at the address of the page', async () => {
      const asked = await app.inject({ url: page, headers: { accept: 'text/markdown, */*;q=0.1' } });
      assert.equal(asked.body, (await app.inject(`${page}.md`)).body);
      const browser = await app.inject({ url: page, headers: { accept: 'text/html,*/*' } });
      assert.match(browser.body, /^<!doctype html>/);
      for (const { headers } of [asked, browser]) assert.match(String(headers['vary']), /\baccept\b/);
    });

    it('have an entity tag that also holds for compressed bodies', async () => {
      const plain = await app.inject(page);
      const tag = String(plain.headers['etag']);
      const gzipped = await app.inject({ url: page, headers: { 'accept-encoding': 'gzip' } });
      assert.equal(gunzipSync(gzipped.rawPayload).toString(), plain.body);
      assert.equal(gzipped.headers['etag'], `W/${tag}`);
      for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        for (const method of ['GET', 'HEAD'] as const) {
          const again = await app.inject({ method, url: page, headers: { 'if-none-match': known } });
          assert.deepEqual([again.statusCode, again.body], [304, ''], known);
          assert.equal(again.headers['content-length'], undefined, method); // [platform-90]
        }
      }
      assert.equal((await app.inject({ url: page, headers: { 'if-none-match': '"x"' } })).statusCode, 200);
      assert.equal(plain.headers['cache-control'], 'no-store');
    });

    it('load their style and script from the listener itself, permanently cached', async () => {
      const { body, headers } = await app.inject(`${index}errors/not_found`);
      assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/);
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; script-src 'self'; style-src 'self'/,
      );
      const assets = [...body.matchAll(/(?:src|href)="([^"]*guides\.(?:css|js)[^"]*)"/g)];
      assert.equal(assets.length, 2);
      for (const [, url = ''] of assets) {
        const { pathname, search } = new URL(url, `http://x${index}errors/not_found`);
        const asset = await app.inject(pathname + search);
        assert.equal(asset.statusCode, 200, url);
        assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable');
        assert.equal((await app.inject(pathname)).headers['cache-control'], 'no-store');
      }
    });

    it('answer HEAD like GET, other methods with 405, and unknown pages with 404 in the envelope', async () => {
      for (const url of [index, page, `${page}.md`, `${prefix}/llms.txt`]) {
        const [got, head] = [await app.inject(url), await app.inject({ method: 'HEAD', url })];
        assert.equal(got.statusCode, 200, url);
        assert.equal(head.headers['content-length'], got.headers['content-length'], url);
        assert.equal(head.body, '');
        const post = await app.inject({ method: 'POST', url, remoteAddress: otherAddress() });
        assert.deepEqual([post.statusCode, post.headers['allow']], [405, 'GET, HEAD']);
      }
      for (const path of [
        'nothing',
        'nothing.md',
        'errors/',
        'errors/nothing',
        '../guides/%2e%2e/x',
        'README',
        '__proto__',
      ])
        assert.equal(
          (await app.inject({ url: index + path, remoteAddress: otherAddress() })).json().code,
          'not_found',
          path,
        );
      const redirect = await app.inject(`${prefix}/docs/guides`);
      assert.deepEqual([redirect.statusCode, redirect.headers['location']], [301, 'guides/']);
    });
  });
}

describe('the address in a guide', () => {
  const guide = '/docs/guides/quick-start';
  const ask = async (
    url: string,
    headers: Readonly<Record<string, string>>,
    remoteAddress = otherAddress(),
  ) => {
    const { body, statusCode, headers: sent } = await apps.clientApp.inject({ url, headers, remoteAddress });
    return { statusCode, tag: String(sent['etag']), base: / BASE=(.*)/.exec(body)?.[1] };
  };

  it('is the one by which the page was asked, with its own entity tag, also as Markdown', async () => {
    const forwarded = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.test',
      'x-forwarded-prefix': '/shop',
    };
    for (const url of [guide, `${guide}.md`, '/llms-full.txt']) {
      const direct = await ask(url, { host: 'one.test:8443', ...forwarded });
      assert.equal(direct.base, 'http://one.test:8443', url);
      assert.equal((await ask(url, forwarded, '10.0.0.1')).base, 'https://api.test/shop', url);
      const known = { 'if-none-match': direct.tag };
      assert.equal((await ask(url, { host: 'one.test:8443', ...known })).statusCode, 304);
      assert.equal((await ask(url, { host: 'other.test', ...known })).statusCode, 200);
    }
  });

  // A name to RFC 9110 may be a command to a shell; one with `<` or a quote is refused.
  it('is the local one for a hostile Host, and on the internal listener', async () => {
    for (const url of [guide, `${guide}.md`])
      for (const host of ['$(reboot)', 'a;reboot', 'a&reboot', "a'b", '$&', 'a,b'])
        assert.equal((await ask(url, { host })).base, 'http://127.0.0.1:8080', host);
    assert.equal((await ask(guide, { host: '"><script>' })).statusCode, 400);
    const { body } = await apps.internalApp.inject({
      url: `/internal${guide}`,
      headers: { host: 'api.test' },
    });
    assert.ok(body.includes('BASE=http://127.0.0.1:8080\n'));
  });
});

describe('llms.txt', () => {
  it('lists pages that exist, and all of them are in llms-full.txt', async () => {
    const { body } = await apps.clientApp.inject('/llms.txt');
    assert.match(body, /^# Brandport\n\n> /);
    const links = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href);
    assert.ok(links.length > 40);
    const full = (await apps.clientApp.inject('/llms-full.txt')).body;
    for (const href of links) {
      const { statusCode, body: text } = await apps.clientApp.inject(`/${href}`);
      assert.equal(statusCode, 200, href);
      if (href.endsWith('.md')) assert.ok(full.includes(text.trim()), href);
    }
  });
});

describe('a page that does not exist', () => {
  it('counts against the client address, and a page that exists does not', async () => {
    const get = (path: string) =>
      apps.clientApp.inject({ url: `/docs/guides/${path}`, remoteAddress: '192.0.2.7' });
    const remaining = async () => Number((await get('nothing')).headers['x-ratelimit-remaining']);
    assert.equal(await remaining(), 4);
    for (let n = 0; n < 10; n += 1) assert.equal((await get('quick-start')).statusCode, 200);
    assert.equal(await remaining(), 3);
  });
});

// [platform-86]
describe('doc_url', () => {
  it('is in every error, and leads to the page about its code', async () => {
    const { client } = await apps.newBrand();
    for (const response of [
      await client.get('/catalog/products/none'),
      await client.post('/catalog/products', { sku: 'A' }),
      await client.create('/catalog/products', {}),
    ]) {
      assert.equal(response.json.doc_url, `/docs/guides/errors/${response.json.code}`);
      assert.equal((await apps.clientApp.inject(response.json.doc_url)).statusCode, 200);
    }
    const { json } = await apps.admin.get('/brands/999999');
    assert.equal(json.doc_url, '/internal/docs/guides/errors/not_found');
    assert.equal((await apps.internalApp.inject(json.doc_url)).statusCode, 200);
  });

  it('begins with the prefix of a trusted proxy, and with nobody else’s', async () => {
    const docUrl = async (remoteAddress: string, url: string) => {
      const headers = { 'x-forwarded-prefix': '/brandport', 'x-forwarded-for': '198.51.100.1' };
      return (await apps.clientApp.inject({ url, remoteAddress, headers })).json().doc_url;
    };
    // The second one is refused before it is routed.
    for (const [url, code] of [
      ['/v1/client/catalog/status', 'unauthenticated'],
      ['/v1/%zz', 'not_found'],
    ] as const) {
      assert.equal(await docUrl('10.0.0.1', url), `/brandport/docs/guides/errors/${code}`);
      assert.equal(await docUrl('192.0.2.9', url), `/docs/guides/errors/${code}`);
    }
  });
});
