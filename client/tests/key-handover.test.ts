import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideHandover } from '../src/admin/key-handover.ts';

const hourMs = 3_600_000;
const now = Date.parse('2026-11-20T12:00:00Z');
const keyOf = (hoursUnused: number | null, revoked_at: string | null = null) => ({
  revoked_at,
  last_used_at: hoursUnused === null ? null : new Date(now - hoursUnused * hourMs).toISOString(),
});
const nextOf = (
  ...[old, successor, silence]: [ReturnType<typeof keyOf>, ReturnType<typeof keyOf> | null, number?]
) => decideHandover(old, successor, now, silence).next;

describe('a handover', () => {
  it('issues the new key, has it installed, waits for the silence of the old one and revokes it', () => {
    assert.equal(nextOf(keyOf(1), null), 'issue');
    assert.equal(nextOf(keyOf(1), keyOf(null)), 'install');
    assert.equal(nextOf(keyOf(23.9), keyOf(0)), 'wait');
    assert.equal(nextOf(keyOf(24), keyOf(0)), 'revoke');
    assert.equal(nextOf(keyOf(1, '2026-11-20T11:00:00Z'), keyOf(0)), 'done');
  });

  it('never revokes a key whose successor was not used, and at once one that was never used', () => {
    assert.equal(nextOf(keyOf(1000), keyOf(null)), 'install');
    assert.equal(nextOf(keyOf(null), keyOf(0)), 'revoke');
    assert.equal(nextOf(keyOf(null), null), 'issue');
  });

  it('takes another silence, and says when it is over', () => {
    assert.equal(nextOf(keyOf(2), keyOf(0), 2), 'revoke');
    assert.equal(nextOf(keyOf(2), keyOf(0), 3), 'wait');
    assert.equal(decideHandover(keyOf(2), null, now, 3).unusedFrom, now + hourMs);
    assert.equal(decideHandover(keyOf(null), null, now).unusedFrom, null);
  });
});
