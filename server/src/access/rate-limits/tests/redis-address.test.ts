import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRedisAddress } from '../redis-address.ts';

test('the address of one server is passed on as it is', () => {
  for (const url of ['redis://h', 'rediss://u:p%40@h:6380/2', 'unix:///run/redis.sock', 'redis://[::1]:6379'])
    assert.deepEqual(parseRedisAddress(url), { kind: 'server', url });
});

test('an address of Sentinels names hosts, master, database and two kinds of credentials', () => {
  assert.deepEqual(parseRedisAddress('redis+sentinel://a,b:1,[::1]:2/main'), {
    kind: 'sentinel',
    nodes: [
      { host: 'a', port: 26_379 },
      { host: 'b', port: 1 },
      { host: '::1', port: 2 },
    ],
    tls: false,
    credentials: {},
    name: 'main',
    database: 0,
    sentinels: {},
  });
  const full = 'rediss+sentinel://u:p%2F%40@a/my%20main/3?sentinel_username=s&sentinel_password=q%26';
  assert.deepEqual(parseRedisAddress(full), {
    kind: 'sentinel',
    nodes: [{ host: 'a', port: 26_379 }],
    tls: true,
    credentials: { username: 'u', password: 'p/@' },
    name: 'my main',
    database: 3,
    sentinels: { username: 's', password: 'q&' },
  });
});

test('an address of a cluster names some of its servers', () => {
  assert.deepEqual(parseRedisAddress('redis+cluster://:p:q@a,b.example-1.com:7001'), {
    kind: 'cluster',
    nodes: [
      { host: 'a', port: 6_379 },
      { host: 'b.example-1.com', port: 7_001 },
    ],
    tls: false,
    credentials: { password: 'p:q' },
  });
});

test('an address that is not complete, or says something that is not understood, is refused', () => {
  for (const text of [
    '',
    'http://h',
    'redis://',
    'redis://a,b',
    'redis+sentinel://a',
    'redis+sentinel://a/',
    'redis+sentinel:///main',
    'redis+sentinel://a,/main',
    'redis+sentinel://a:0/main',
    'redis+sentinel://a:65536/main',
    'redis+sentinel://a b/main',
    'redis+sentinel://a/main/x',
    'redis+sentinel://a/main/0/1',
    'redis+sentinel://a/main?db=1',
    'redis+sentinel://u:50%zz@a/main',
    'redis+sentinel://a/%zz',
    'redis+sentinel://a/main#x',
    'redis-sentinel://a/main',
    'unix+sentinel://a/main',
    'redis+cluster://',
    'redis+cluster://a,',
    'redis+cluster://a/0',
    'redis+cluster://a?x=1',
    'redis+cluster://@@a',
    'xredis+cluster://a',
  ])
    assert.equal(parseRedisAddress(text), null, text);
});
