import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomBase62, randomHex } from '../../../lib/ids.ts';
import { findMentions, maxMentions } from '../find-mentions.ts';

const id = () => `tuk_${randomHex(24)}`;
const find = (text: string) =>
  findMentions(text).map(({ kind, name, secrets }) => [kind, name, [...secrets]]);

describe('the search for keys and tokens', () => {
  it('finds them in any surroundings, each once, in order of their first place', () => {
    const [first, second, secret] = [id(), id(), randomBase62(40)];
    const token = `cfk_${randomBase62(40)}`;
    const text = `x${token}y {"key":"${second}"}\nBearer ${first}.${secret}, ${second} https://u:${first}.${secret}@h/?k=${first}.`;
    assert.deepEqual(find(text), [
      ['feed_token', token, []],
      ['api_key', second, []],
      ['api_key', first, [secret]],
    ]);
  });

  it('takes a secret only in its full length', () => {
    const key = id();
    const secret = randomBase62(40);
    assert.deepEqual(find(`${key}.${secret.slice(1)}`), [['api_key', key, []]]);
    assert.deepEqual(find(`${key}.${secret}END`), [['api_key', key, [secret]]]);
    assert.deepEqual(find(`${key.slice(0, -1)} cfk_${secret.slice(1)} TUK_${randomHex(24)}`), []);
  });

  it('keeps several secrets of one id', () => {
    const key = id();
    const secrets = [randomBase62(40), randomBase62(40)];
    assert.deepEqual(find(secrets.map((secret) => `${key}.${secret}`).join(' ')), [
      ['api_key', key, secrets],
    ]);
  });

  it('has a limit of findings', () => {
    const keys = Array.from({ length: maxMentions }, id);
    assert.equal(find([...keys, ...keys].join('')).length, maxMentions);
    assert.throws(() => find([...keys, id()].join('')), { code: 'validation_failed' });
  });

  it('takes time in proportion to the length of hostile text', () => {
    const key = id();
    for (const part of [
      't',
      'tuk_',
      `tuk_${'a'.repeat(23)}`,
      `${key}.${'a'.repeat(39)}`,
      'cfk_',
      `cfk_${'c'.repeat(39)}`,
    ]) {
      const text = part.repeat(Math.ceil(1_048_576 / part.length));
      // Quadratic work on 1 MiB would take minutes.
      const startedAt = performance.now();
      find(text);
      const ms = performance.now() - startedAt;
      assert.ok(ms < 2_000, `${part}: ${ms} ms`);
    }
  });
});
