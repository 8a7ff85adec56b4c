import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildPages } from '../../../../scripts/built-pages/build-pages.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { SearchIndex, searchWords } from '../guide-search.ts';

await buildPages();
const apps = await createTestApps({ trustedProxies: ['10.0.0.0/8'], limits: { address: 40 } });
let address = 0;

/** Searches from a new address. */
const search = (query: string, headers: Record<string, string> = {}, path = '/docs/search') => {
  address += 1;
  const url = `${path}?q=${encodeURIComponent(query)}`;
  return apps.clientApp.inject({ url, headers, remoteAddress: `192.0.2.${address}` });
};
const find = async (query: string) => (await search(query, {}, '/docs/search.json')).json().results;

// [platform-88]
describe('the search', () => {
  const firsts: [query: string, url: string][] = [
    ['429', '/docs/guides/errors/rate_limited'],
    ['webhook', '/docs/guides/webhooks'],
    ['webhooks', '/docs/guides/webhooks'],
    ['WEBH', '/docs/guides/webhooks'],
    ['duplicate_sku', '/docs/guides/errors/duplicate_sku'],
    ['duplicate sku', '/docs/guides/errors/duplicate_sku'],
    ['pagination', '/docs/guides/pagination'],
    ['replaces_key_id', '/docs/guides/overlapping-keys'],
    ['scopes', '/docs/guides/authentication#scopes'],
    ['bulk', '/docs/guides/push-products'],
    ['lost answer', '/docs/guides/idempotency'],
  ];
  for (const [query, url] of firsts)
    it(`finds ${url} first for "${query}"`, async () => {
      const results = await find(query);
      assert.ok(results[0]?.url.startsWith(url), JSON.stringify(results.slice(0, 3), null, 1));
    });

  const misspelt: [query: string, url: string][] = [
    ['pagnation', '/docs/guides/pagination'],
    ['idempotncy', '/docs/guides/idempotency'],
    ['webhok', '/docs/guides/webhooks'],
    ['rate limt', '/docs/guides/errors/rate_limited'],
  ];
  for (const [query, url] of misspelt)
    it(`finds ${url} for "${query}"`, async () => {
      const results = await find(query);
      const urls = results.slice(0, 3).map((result: { url: string }) => result.url);
      assert.ok(
        urls.some((found: string) => found.startsWith(url)),
        JSON.stringify(results.slice(0, 6), null, 1),
      );
    });

  it('finds operations of the reference', async () => {
    const results = await find('generate variants');
    assert.ok(
      results.some(
        ({ kind, title }: { kind: string; title: string }) =>
          kind === 'operation' && title.endsWith('/variants/generate'),
      ),
    );
  });

  it('says that integrations get no webhooks in the excerpt', async () => {
    const [first] = await find('webhook');
    assert.match(first.excerpt, /sends your systems no webhooks/);
  });

  it('links to pages that exist, also behind a prefix', async () => {
    for (const query of ['429', 'stock', 'key']) {
      for (const { url } of await find(query))
        assert.equal((await apps.clientApp.inject(url.split('#')[0])).statusCode, 200, url);
      const { body } = await search(query, { accept: 'text/html' });
      for (const [, href = ''] of body.matchAll(/<li><a href="([^"]+)"/g)) {
        const { pathname } = new URL(href, 'http://x/docs/search');
        assert.equal((await apps.clientApp.inject(pathname)).statusCode, 200, href);
      }
    }
    const proxied = await apps.clientApp.inject({
      url: '/docs/search.json?q=429',
      remoteAddress: '10.0.0.1',
      headers: { 'x-forwarded-prefix': '/brandport', 'x-forwarded-for': '198.51.100.1' },
    });
    assert.match(proxied.json().results[0].url, /^\/brandport\/docs\/guides\/errors\/rate_limited/);
  });

  it('is a page for browsers and JSON for programs', async () => {
    const page = await search('429', { accept: 'text/html,application/json' });
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(page.body, /<input id="q" name="q" [^>]*value="429"/);
    assert.match(page.body, /<mark>429<\/mark>/);
    const json = await search('429', { accept: 'application/json' });
    assert.equal(json.json().query, '429');
  });

  it('helps when nothing is found, and without a query', async () => {
    const nothing = await search('xyzzyplugh');
    assert.equal(nothing.statusCode, 200);
    assert.match(nothing.body, /Nothing found[\s\S]*href="guides\/errors"/);
    assert.deepEqual((await find('xyzzyplugh')).length, 0);
    assert.equal((await search('')).statusCode, 200);
    assert.equal(
      (await apps.clientApp.inject({ url: '/docs/search', remoteAddress: '198.51.100.77' })).statusCode,
      200,
    );
  });

  it('shows hostile queries as text', async () => {
    for (const query of [
      '"><script>alert(1)</script>',
      "' onfocus=alert(1) '",
      '</title><b>',
      '\u0000\ud800',
      '%',
      '.*',
      '__proto__ constructor',
    ]) {
      const { statusCode, body } = await search(query.toWellFormed());
      assert.equal(statusCode, 200, query);
      assert.doesNotMatch(
        body,
        /<script>|alert\(1\)<\/script>|<b>|value="[^"]*'? onfocus=alert\(1\) '[^"]*$/m,
      );
    }
  });

  it('refuses queries that are too long or given twice', async () => {
    assert.deepEqual((await search('x'.repeat(201))).json().errors, {
      q: ['must have at most 200 characters'],
    });
    assert.equal((await search('x'.repeat(200))).statusCode, 200);
    const twice = await apps.clientApp.inject({ url: '/docs/search?q=a&q=b', remoteAddress: '192.0.2.250' });
    assert.equal(twice.statusCode, 422);
  });

  it('counts against the client address', async () => {
    const once = () => apps.clientApp.inject({ url: '/docs/search?q=key', remoteAddress: '198.51.100.8' });
    assert.equal((await once()).headers['x-ratelimit-remaining'], '39');
    for (let n = 0; n < 39; n += 1) await once();
    const refused = await once();
    assert.equal(refused.json().code, 'rate_limited');
  });

  it('covers the pages for operators on the internal listener only', async () => {
    const { results } = (await apps.internalApp.inject('/internal/docs/search.json?q=aggregation')).json();
    assert.ok(results.some(({ url }: { url: string }) => url.startsWith('/internal/docs/guides/operators/')));
    assert.ok(!JSON.stringify(await find('aggregation')).includes('operators'));
    assert.ok(!JSON.stringify(await find('brands keys')).includes('/internal/v1/brands/{id}/keys"'));
  });
});

describe('the index', () => {
  const entry = (title: string, text: string) =>
    ({ kind: 'guide', title, section: '', url: title, text }) as const;

  it('ranks titles before texts, whole words before beginnings, and needs all words if any entry has them', async () => {
    const index = SearchIndex.build([
      entry('Other', 'stock stock stock'),
      entry('Stock', 'nothing'),
      entry('Stockholm', 'a city'),
      entry('Both', 'stock feed'),
    ]);
    const titles = (query: string) => index.find(query, 10).map(({ title }) => title);
    assert.deepEqual(titles('stock').sort(), ['Both', 'Other', 'Stock', 'Stockholm']);
    assert.equal(titles('stock')[0], 'Stock');
    assert.deepEqual(titles('stockh'), ['Stockholm']);
    assert.deepEqual(titles('stock feed'), ['Both']);
    assert.deepEqual(titles('feed nonsense'), ['Both']);
    assert.deepEqual(index.find('...', 10), []);
  });

  it('reads words without case, accents and plural', () => {
    assert.deepEqual(searchWords('Café rate_limited KEYS, access 429!'), [
      'cafe',
      'rate_limited',
      'rate',
      'limited',
      'key',
      'access',
      '429',
    ]);
  });
});
