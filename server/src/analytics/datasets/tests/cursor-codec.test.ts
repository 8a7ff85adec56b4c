import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CursorBinding, type CursorContent, createCursorCodec } from '../walk.ts';

let now = Date.parse('2026-03-10T12:00:00Z');
const clock = { now: () => now };
const codec = createCursorCodec(['secret one'], clock);
const binding: CursorBinding = { brandId: 7, dataset: 'users', filters: { user: 'u-1' } };
const content: CursorContent = {
  window: { from: '2026-02-01', to: '2026-03-01' },
  defaulted: { from: true, to: false },
  position: [4711, '2026-02-03'],
};

describe('a cursor', () => {
  it('returns the content that it was created with', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(), fc.constant('2026-02-03')), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        fc.boolean(),
        (position, from, to) => {
          const any = { ...content, position, defaulted: { from, to } };
          assert.deepEqual(codec.decode(binding, codec.encode(binding, any)), any);
        },
      ),
    );
  });

  it('is a different string each time, safe in a URL, and reveals nothing of its content', () => {
    const texts = Array.from({ length: 50 }, () => codec.encode(binding, content));
    assert.equal(new Set(texts).size, 50);
    for (const text of texts) {
      assert.match(text, /^[A-Za-z0-9_-]+$/);
      const bytes = Buffer.from(text, 'base64url').toString('latin1');
      for (const part of ['4711', '2026', 'from', 'u-1']) assert.ok(!bytes.includes(part));
    }
  });

  it('is valid only for the binding that it was created for', () => {
    const text = codec.encode(binding, content);
    for (const other of [
      { ...binding, brandId: 8 },
      { ...binding, dataset: 'contents' },
      { ...binding, filters: {} },
      { ...binding, filters: { user: 'u-2' } },
      { ...binding, filters: { user: 'u-1', completed: false } },
      { ...binding, filters: { type: 'u-1' } },
    ])
      assert.equal(codec.decode(other, text), null);
  });

  it('does not depend on the order of filters or on absent ones', () => {
    const made = { ...binding, filters: { user: 'u', type: 'episode', completed: undefined } };
    const used = { ...binding, filters: { type: 'episode', content: undefined, user: 'u' } };
    assert.deepEqual(codec.decode(used, codec.encode(made, content)), content);
  });

  it('is rejected when any of its characters is changed, omitted or doubled', () => {
    const text = codec.encode(binding, content);
    for (const [index, character] of [...text].entries()) {
      const other = character === 'A' ? 'B' : 'A';
      assert.equal(codec.decode(binding, text.slice(0, index) + other + text.slice(index + 1)), null);
      assert.equal(codec.decode(binding, text.slice(0, index) + text.slice(index + 1)), null);
      assert.equal(codec.decode(binding, text.slice(0, index) + character + text.slice(index)), null);
    }
  });

  it('has one spelling', () => {
    const text = codec.encode(binding, content);
    const last = text.at(-1) as string;
    for (const other of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      if (other !== last) assert.equal(codec.decode(binding, text.slice(0, -1) + other), null);
    const urlUnsafe = Buffer.from(text, 'base64url').toString('base64');
    for (const spelled of [`${text}=`, `${text} `, `${text}\n`, ` ${text}`, urlUnsafe])
      if (spelled !== text) assert.equal(codec.decode(binding, spelled), null);
  });

  it('is rejected when it is any other string', () => {
    for (const text of [
      'x',
      '0',
      'null',
      '%00',
      '\u0000',
      'é',
      '😀',
      'A'.repeat(38),
      'A'.repeat(40),
      'A'.repeat(100_000),
      Buffer.from('{"at":0}').toString('base64url'),
    ])
      assert.equal(codec.decode(binding, text), null);
    fc.assert(fc.property(fc.string(), (text) => assert.equal(codec.decode(binding, text), null)));
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 29, maxLength: 200 }), (bytes) => {
        const versioned = Buffer.concat([Buffer.of(1), bytes]);
        assert.equal(codec.decode(binding, versioned.toString('base64url')), null);
      }),
    );
  });

  // [analytics-25]
  it('is valid for 24 hours', () => {
    const text = codec.encode(binding, content);
    const madeAt = now;
    now = madeAt + 24 * 3_600_000;
    assert.deepEqual(codec.decode(binding, text), content);
    now += 1;
    assert.equal(codec.decode(binding, text), null);
    // The clock of another process may be behind.
    now = madeAt - 60_000;
    assert.deepEqual(codec.decode(binding, text), content);
    now = madeAt;
  });

  // [internal-14]
  it('stays valid after a rotation of the secret, but not after its removal', () => {
    const before = codec.encode(binding, content);
    const during = createCursorCodec(['secret two', 'secret one'], clock);
    const after = createCursorCodec(['secret two'], clock);
    assert.deepEqual(during.decode(binding, before), content);
    assert.deepEqual(after.decode(binding, during.encode(binding, content)), content);
    assert.equal(after.decode(binding, before), null);
    assert.equal(codec.decode(binding, during.encode(binding, content)), null);
  });
});
