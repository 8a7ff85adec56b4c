import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../errors/api-error.ts';
import { sha256 } from '../../../lib/secrets.ts';
import { feedTokenIdFromPath, maskedFeedToken, newFeedToken } from '../feed-token.ts';

describe('a new feed token', () => {
  it('is cfk_ and 40 characters, kept as the hash of all of it', () => {
    const { plaintext, tokenSha256, hint } = newFeedToken();
    assert.match(plaintext, /^cfk_[A-Za-z0-9]{40}$/);
    assert.ok(tokenSha256.equals(sha256(plaintext)));
    assert.ok(hint.length === 4 && plaintext.endsWith(hint));
    assert.equal(maskedFeedToken(hint), `cfk_…${hint}`);
  });
});

describe('a feed token id in a path', () => {
  it('is a positive integer', () =>
    assert.equal(feedTokenIdFromPath('999999999999999'), 999_999_999_999_999));

  for (const text of ['0', '-1', '01', '1.5', '9999999999999999', 'cfk_1', '', '\u0000'])
    it(`is not found when it is ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => feedTokenIdFromPath(text),
        (error) => error instanceof ApiError && error.code === 'not_found',
      );
    });
});
