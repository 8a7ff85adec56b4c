import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestsEqual, sha256 } from '../secrets.ts';

describe('SHA-256', () => {
  it('is the standard digest of the parts, one after the other', () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    assert.equal(sha256('abc').toString('hex'), abc);
    assert.equal(sha256('a', Buffer.from('b'), '', 'c').toString('hex'), abc);
  });

  it('takes text as UTF-8', () => {
    assert.deepEqual(sha256('é😀'), sha256(Buffer.from('é😀', 'utf8')));
  });
});

describe('digests', () => {
  it('are equal when every byte is', () => {
    assert.ok(digestsEqual(sha256('a'), sha256('a')));
    assert.equal(digestsEqual(sha256('a'), sha256('b')), false);
  });

  it('of different length are different, without an error', () => {
    assert.equal(digestsEqual(sha256('a'), sha256('a').subarray(0, 31)), false);
    assert.equal(digestsEqual(Buffer.alloc(0), Buffer.alloc(32)), false);
  });
});
