import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../errors/api-error.ts';
import { sha256 } from '../../../lib/secrets.ts';
import { parseApiKey } from '../../authentication/authentication.ts';
import { isKeyId, maskedApiKey, newApiKey, requireFutureExpiry } from '../api-key.ts';
import { apiKeyRequestFromWire } from '../api-key-wire.ts';

describe('a new API key', () => {
  it('has the form that authentication reads, and the hash of its secret alone', () => {
    for (let i = 0; i < 50; i += 1) {
      const { keyId, secretSha256, plaintext } = newApiKey();
      assert.match(plaintext, /^tuk_[0-9a-f]{24}\.[A-Za-z0-9]{40}$/);
      const parsed = parseApiKey(plaintext);
      assert.ok('secret' in parsed);
      assert.equal(parsed.keyId, keyId);
      assert.ok(secretSha256.equals(sha256(parsed.secret)));
    }
  });

  it('is never made twice', () => {
    const made = Array.from({ length: 1000 }, () => newApiKey());
    assert.equal(new Set(made.map((key) => key.keyId)).size, 1000);
    assert.equal(new Set(made.map((key) => key.plaintext.slice(29))).size, 1000);
  });

  it('is masked to its public half', () => {
    const { keyId } = newApiKey();
    assert.equal(maskedApiKey(keyId), `${keyId}.…`);
  });
});

describe('a public key id', () => {
  it('is known by its form', () => {
    assert.ok(isKeyId(newApiKey().keyId));
    for (const text of [
      '',
      'tuk_',
      'tuk_0123456789ABCDEF01234567',
      `${newApiKey().keyId}\n`,
      newApiKey().plaintext,
    ])
      assert.equal(isKeyId(text), false, JSON.stringify(text));
  });
});

describe('an expiry', () => {
  const now = Date.parse('2026-03-01T08:30:00Z');

  it('lies in the future, or is none', () => {
    requireFutureExpiry(null, now);
    requireFutureExpiry(new Date(now + 1), now);
  });

  it('is refused from the present moment on', () => {
    for (const past of [now, now - 1])
      assert.throws(
        () => requireFutureExpiry(new Date(past), now),
        (error) => error instanceof ApiError && Object.hasOwn(error.details.errors ?? {}, 'expires_at'),
      );
  });
});

describe('the body of a new key', () => {
  it('counts a scope once, in the order of naming', () => {
    const { scopes } = apiKeyRequestFromWire(1, {
      name: 'PIM',
      scopes: ['catalog.stock:read', 'catalog.axes:write', 'catalog.stock:read'],
    });
    assert.deepEqual(scopes, ['catalog.stock:read', 'catalog.axes:write']);
  });

  it('may leave the expiry out, say null, or name any offset', () => {
    const body = { name: 'PIM', scopes: ['catalog.stock:read' as const] };
    assert.equal(apiKeyRequestFromWire(1, body).expiresAt, null);
    assert.equal(apiKeyRequestFromWire(1, { ...body, expires_at: null }).expiresAt, null);
    const { expiresAt } = apiKeyRequestFromWire(1, { ...body, expires_at: '2027-01-01T02:00:00+02:00' });
    assert.equal(expiresAt?.toISOString(), '2027-01-01T00:00:00.000Z');
  });
});
