import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bearerToken, parseApiKey } from '../authentication.ts';

const read = (...values: string[]) =>
  bearerToken(['Host', 'x', ...values.flatMap((value) => ['Authorization', value]), 'Accept', '*/*']);

describe('the bearer token of a request', () => {
  for (const value of ['Bearer abc', 'bearer abc', 'BEARER abc', 'Bearer   abc', 'Bearer abc '])
    it(`is read from ${JSON.stringify(value)}`, () => assert.deepEqual(read(value), { token: 'abc' }));

  for (const value of [
    '',
    'Bearer',
    'Bearer ',
    'abc',
    'Basic abc',
    'Bearer a b',
    'Bearer\tabc',
    'XBearer abc',
    'Bearer: abc',
  ])
    it(`is malformed in ${JSON.stringify(value)}`, () =>
      assert.deepEqual(read(value), { failure: 'malformed' }));

  it('is found however the name of the header is spelled', () => {
    assert.deepEqual(bearerToken(['AUTHORIZATION', 'Bearer abc']), { token: 'abc' });
  });

  it('is missing without the header', () => {
    assert.deepEqual(read(), { failure: 'missing' });
    assert.deepEqual(bearerToken(['X-Authorization', 'Bearer abc', 'authorizatio', 'Bearer abc']), {
      failure: 'missing',
    });
  });

  it('is not looked for in the value of another header', () => {
    assert.deepEqual(bearerToken(['X-Note', 'authorization', 'Bearer', 'abc']), { failure: 'missing' });
  });

  it('is refused when the header stands there twice, even with the same value', () => {
    assert.deepEqual(read('Bearer abc', 'Bearer abc'), { failure: 'malformed' });
    assert.deepEqual(bearerToken(['authorization', 'Bearer a', 'AUTHORIZATION', 'Bearer b']), {
      failure: 'malformed',
    });
  });
});

describe('an API key', () => {
  const keyId = `tuk_${'0123456789abcdef'.repeat(2).slice(0, 24)}`;
  const secret = 'aZ09'.repeat(10);

  // [platform-1]
  it('is a public id and a secret of 40 characters', () => {
    assert.deepEqual(parseApiKey(`${keyId}.${secret}`), { keyId, secret });
  });

  it('is distinguished from a feed token', () => {
    assert.deepEqual(parseApiKey(`cfk_${secret}`), { failure: 'feed_token' });
  });

  for (const [what, token] of [
    ['without a secret', keyId],
    ['with an empty secret', `${keyId}.`],
    ['with a secret of 39 characters', `${keyId}.${secret.slice(1)}`],
    ['with a secret of 41 characters', `${keyId}.${secret}a`],
    ['with a character that no secret has', `${keyId}.${secret.slice(1)}-`],
    ['with a public id of 23 characters', `${keyId.slice(0, -1)}.${secret}`],
    ['with a public id in capitals', `${keyId.toUpperCase()}.${secret}`],
    ['with another prefix', `tux_${keyId.slice(4)}.${secret}`],
    ['with a line end', `${keyId}.${secret}\n`],
    ['that is a secret alone', secret],
    ['that is empty', ''],
  ] as const)
    it(`${what} is malformed`, () => assert.deepEqual(parseApiKey(token), { failure: 'malformed' }));
});
