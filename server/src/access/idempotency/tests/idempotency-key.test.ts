import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../errors/api-error.ts';
import { readIdempotencyKey, requestFingerprint } from '../idempotency-key.ts';

function refusal(header: string | undefined, rule: 'required' | 'optional'): ApiError {
  try {
    readIdempotencyKey(header, rule);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
  throw new Error('was accepted');
}

describe('an Idempotency-Key', () => {
  for (const key of ['a', '~', '!', 'a'.repeat(191), '9f3c2a4e-1b', '"quoted"', 'a,b', '{}[]'])
    it(`may be ${key.slice(0, 20)} (${key.length} characters)`, () => {
      assert.equal(readIdempotencyKey(key, 'required'), key);
      assert.equal(readIdempotencyKey(key, 'optional'), key);
    });

  for (const key of [
    'a'.repeat(192),
    'two words',
    ' ',
    'tab\t',
    'ключ',
    'é',
    '\u0000',
    'a\u007f',
    '\u00a0',
    'a, b',
  ])
    it(`may not be ${JSON.stringify(key.slice(0, 20))} (${key.length} characters)`, () => {
      for (const rule of ['required', 'optional'] as const) {
        const { code, details } = refusal(key, rule);
        assert.equal(code, 'validation_failed');
        assert.deepEqual(Object.keys(details.errors ?? {}), ['idempotency_key']);
      }
    });

  // [platform-57]
  it('is missing where it is required and there is none, or an empty one', () => {
    assert.equal(refusal(undefined, 'required').code, 'idempotency_key_required');
    assert.equal(refusal('', 'required').code, 'idempotency_key_required');
  });

  it('is none where it is optional and there is none, or an empty one', () => {
    assert.equal(readIdempotencyKey(undefined, 'optional'), null);
    assert.equal(readIdempotencyKey('', 'optional'), null);
  });

  it('is not even looked at where it is ignored', () => {
    assert.equal(readIdempotencyKey('good', 'ignored'), null);
    assert.equal(readIdempotencyKey('a'.repeat(5000), 'ignored'), null);
    assert.equal(readIdempotencyKey('not good', 'ignored'), null);
  });

  it('that came in several headers is not valid', () => {
    assert.equal(refusal(['a', 'a'] as never, 'required').code, 'validation_failed');
  });
});

describe('the fingerprint of a request', () => {
  const print = (method: string, path: string, body: string) =>
    requestFingerprint(method, path, Buffer.from(body)).toString('hex');

  it('is the same for the same method, path and bytes', () => {
    assert.equal(print('POST', '/a', '{}'), print('POST', '/a', '{}'));
  });

  it('differs with the method, the path, and every byte of the body', () => {
    const prints = [
      print('POST', '/a', '{}'),
      print('PATCH', '/a', '{}'),
      print('POST', '/b', '{}'),
      print('POST', '/a', '{ }'),
      print('POST', '/a', ''),
      print('POST', '/a\n', '{}'),
      print('POST', '/a ', '{}'),
    ];
    assert.equal(new Set(prints).size, prints.length);
  });
});
