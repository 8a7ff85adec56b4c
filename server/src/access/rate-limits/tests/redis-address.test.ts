import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRedisUrl } from '../rate-limits.ts';

test('the address of one server is accepted', () => {
  for (const url of ['redis://h', 'rediss://u:p%40@h:6380/2', 'unix:///run/redis.sock', 'redis://[::1]:6379'])
    assert.equal(isRedisUrl(url), true, url);
});

test('an address of several servers, or that is not complete, is refused', () => {
  for (const text of [
    '',
    'http://h',
    'redis://',
    'redis://a,b',
    'redis://a:6379,b:6379',
    'redis+sentinel://a,b:1/main',
    'rediss+sentinel://u:p@a/main/3',
    'redis+cluster://a,b',
    'redis://u:50%zz@a',
    'unix://',
  ])
    assert.equal(isRedisUrl(text), false, text);
});
