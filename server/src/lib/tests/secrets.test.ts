import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSeal, digestsEqual, sha256 } from '../secrets.ts';

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

const purpose = 'test';
const derived = createSeal({ secrets: ['one'], purpose, nonce: 'derived' });
const random = createSeal({ secrets: ['one'], purpose, nonce: 'random' });

describe('a sealed text', () => {
  it('is the same for the same text with a derived nonce, and never with a random one', () => {
    assert.equal(derived.seal('b', 'text'), derived.seal('b', 'text'));
    assert.notEqual(random.seal('b', 'text'), random.seal('b', 'text'));
    assert.equal(derived.open('b', random.seal('b', 'text')), 'text');
  });

  it('has another nonce for each pair of text and bound', () => {
    const nonceOf = (sealed: string) => Buffer.from(sealed, 'base64url').subarray(1, 13).toString('hex');
    const pairs = fc.uniqueArray(fc.tuple(fc.string(), fc.string()), { selector: String, minLength: 2 });
    fc.assert(
      fc.property(pairs, (all) => {
        const distinct = new Set(all.map((pair) => JSON.stringify(pair)));
        const nonces = new Set(all.map(([bound, text]) => nonceOf(derived.seal(bound, text))));
        assert.equal(nonces.size, distinct.size);
      }),
    );
    assert.notEqual(nonceOf(derived.seal('a', 'bc')), nonceOf(derived.seal('ab', 'c')));
  });

  it('opens for its purpose and its bound only', () => {
    const sealed = derived.seal('b', 'text');
    assert.equal(derived.open('c', sealed), null);
    assert.equal(
      createSeal({ secrets: ['one'], purpose: 'other', nonce: 'derived' }).open('b', sealed),
      null,
    );
  });

  it('shows by the id of its seal which secret encrypted it', () => {
    const idOf = (...secrets: [string, ...string[]]) => createSeal({ secrets, purpose, nonce: 'derived' }).id;
    assert.equal(idOf('one', 'two'), idOf('one'));
    assert.notEqual(idOf('two', 'one'), idOf('one'));
  });
});
