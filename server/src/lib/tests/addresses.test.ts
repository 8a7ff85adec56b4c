import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countedNetwork, parseNetwork, plainAddress } from '../addresses.ts';

describe('an address', () => {
  it('is shown without the prefix of IPv4 on IPv6 sockets and without a zone', () => {
    for (const [given, plain] of [
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::FFFF:203.0.113.7', '203.0.113.7'],
      ['fe80::1%eth0', 'fe80::1'],
      ['2001:db8::1', '2001:db8::1'],
      ['', ''],
    ] as const)
      assert.equal(plainAddress(given), plain);
  });

  // [platform-84]
  it('counts by its /64 if it is IPv6, however it is written', () => {
    for (const [given, network] of [
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
      ['2001:0DB8::7:ffff:0:0:1', '2001:db8:0:7::/64'],
      ['2001:db8::1', '2001:db8:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['2001:db8:1:2::', '2001:db8:1:2::/64'],
      ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ] as const)
      assert.equal(countedNetwork(given), network);
  });
});

describe('a network', () => {
  it('is an address with or without a number of bits', () => {
    assert.deepEqual(parseNetwork('10.0.0.0/8'), { address: '10.0.0.0', bits: 8, family: 'ipv4' });
    assert.deepEqual(parseNetwork('192.0.2.1'), { address: '192.0.2.1', bits: 32, family: 'ipv4' });
    assert.deepEqual(parseNetwork('fd00::/8'), { address: 'fd00::', bits: 8, family: 'ipv6' });
    assert.deepEqual(parseNetwork('::1'), { address: '::1', bits: 128, family: 'ipv6' });
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      '10.0.0.0/33',
      '::/129',
      '10.0.0/8',
      'localhost',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '10.0.0.0/-1',
      'fe80::1%eth0',
    ])
      assert.equal(parseNetwork(text), null, text);
  });
});
