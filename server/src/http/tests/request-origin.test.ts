import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { type Network, parseNetwork } from '../../lib/addresses.ts';
import { originOf, TrustedProxies } from '../proxies.ts';

const proxies = new TrustedProxies(
  ['10.0.0.0/8', '192.0.2.1', 'fd00::/8'].map((text) => parseNetwork(text) as Network),
);

const origin = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
  originOf({ socket: { remoteAddress }, headers } as unknown as IncomingMessage, proxies);

const address = (peer: string, forwarded: string) => origin(peer, { 'x-forwarded-for': forwarded }).address;

describe('the address of a client', () => {
  // [platform-81]
  it('is that of the connection, unless a trusted proxy forwards another', () => {
    assert.equal(origin('203.0.113.7').address, '203.0.113.7');
    assert.equal(address('203.0.113.7', '198.51.100.1'), '203.0.113.7');
    assert.equal(address('10.1.2.3', '198.51.100.1'), '198.51.100.1');
    assert.equal(address('::ffff:10.1.2.3', '198.51.100.1'), '198.51.100.1');
    assert.equal(address('fd12::1', '2001:db8::1'), '2001:db8::1');
    assert.equal(address('192.0.2.2', '198.51.100.1'), '192.0.2.2');
    assert.equal(origin(undefined).address, '');
  });

  // [platform-81]
  it('is the rightmost hop that is no trusted proxy, with any hops claimed left of it', () => {
    assert.equal(address('10.0.0.1', '1.1.1.1, 198.51.100.1'), '198.51.100.1');
    assert.equal(address('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2, 192.0.2.1'), '198.51.100.1');
    assert.equal(address('10.0.0.1', '10.9.9.9, 198.51.100.1'), '198.51.100.1');
    assert.equal(address('10.0.0.1', '10.0.0.4,10.0.0.3'), '10.0.0.4');
    assert.equal(address('10.0.0.1', `${'10.0.0.9, '.repeat(1_000)}198.51.100.1`), '198.51.100.1');
  });

  it('is read with a port, in brackets and as IPv4 on IPv6', () => {
    assert.equal(address('10.0.0.1', '198.51.100.1:4711'), '198.51.100.1');
    assert.equal(address('10.0.0.1', '[2001:db8::1]:4711'), '2001:db8::1');
    assert.equal(address('10.0.0.1', '[2001:db8::1]'), '2001:db8::1');
    assert.equal(address('10.0.0.1', '::ffff:198.51.100.1'), '198.51.100.1');
  });

  it('is that of the proxy that reports no address', () => {
    for (const hop of [
      'unknown',
      '',
      ' ',
      '_hidden',
      '198.51.100.1, unknown',
      '999.1.1.1',
      "'; drop table",
      '198.51.100.1,',
    ])
      assert.equal(address('10.0.0.1', hop), '10.0.0.1', hop);
    assert.equal(address('10.0.0.1', 'unknown, 10.0.0.2'), '10.0.0.2');
  });
});

describe('the URL that a client sees', () => {
  const forwarded = (proto: string, host: string, prefix: string) =>
    origin('10.0.0.1', {
      'x-forwarded-proto': proto,
      'x-forwarded-host': host,
      'x-forwarded-prefix': prefix,
    });

  // [platform-81]
  it('comes from a trusted proxy only', () => {
    const headers = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.test',
      'x-forwarded-prefix': '/brandport',
    };
    assert.partialDeepStrictEqual(origin('10.0.0.1', headers), {
      base: 'https://api.test',
      pathPrefix: '/brandport',
    });
    assert.partialDeepStrictEqual(origin('203.0.113.7', headers), { base: null, pathPrefix: '' });
  });

  it('has no slash at its end, and takes the value of the nearest proxy', () => {
    assert.equal(forwarded('https', 'api.test', '/a/b/').pathPrefix, '/a/b');
    assert.equal(
      forwarded('http, https', 'evil.test, api.test:8443', '/x, /a').base,
      'https://api.test:8443',
    );
    assert.equal(forwarded('http, https', 'api.test', '/x, /a').pathPrefix, '/a');
    assert.equal(forwarded('http', '[2001:db8::1]:8080', '').base, 'http://[2001:db8::1]:8080');
  });

  it('is not shaped by values that are no scheme, host or path', () => {
    for (const host of [
      '',
      'a b',
      'api.test/path',
      'user@api.test',
      '"><script>',
      'a'.repeat(300),
      'api.test:',
    ])
      assert.equal(forwarded('https', host, '').base, null, host);
    for (const proto of ['', 'javascript', 'https:', 'HTTPS2'])
      assert.equal(forwarded(proto, 'api.test', '').base, null, proto);
    for (const prefix of [
      '/',
      'a',
      '//evil.test',
      '/a/../b',
      '/.',
      '/a//b',
      '/a?x',
      '/a b',
      `/${'a'.repeat(300)}`,
      '/a\\b',
    ])
      assert.equal(forwarded('https', 'api.test', prefix).pathPrefix, '', prefix);
  });
});
