// nightly: a load of three hours at the default limits, with a clock that is set
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { progressLines, startVirtualService } from './hours.ts';
import { SyncFolder } from './sync-kit.ts';

const minutes = 180;

it('a sync of three hours says every minute how far it is, and when it ends', async () => {
  const service = await startVirtualService();
  const count = 60 * (minutes + 1);
  const rows = Array.from({ length: count }, (_, n) => `P${n},true`);
  const file = new SyncFolder().file('hours.csv', ['sku,is_active', ...rows]);
  const startedAt = performance.now();
  const { code, stdout, stderr } = await service.run(await service.newCliBrand(), ['sync', file, '--yes']);
  // The clock moves also while the machine works.
  const own = (performance.now() - startedAt) / 60_000;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^about 3 h: writes 60\/min$/m);
  assert.match(stdout, new RegExp(`^${count} written$`, 'm'));
  const lines = progressLines(stderr, 'Writing');
  // A client rounds the end of each window up to a second, and spreads the last requests over it.
  assert.ok(lines.length >= minutes && lines.length <= minutes * 1.05 + own, `${lines.length} lines`);
  for (const [at, [done, left]] of lines.entries()) {
    const remaining = lines.length - at - 1;
    const isNear = Math.abs((left ?? 0) - remaining) <= Math.max(3, 0.05 * remaining) + own;
    assert.ok(isNear, `line ${at}: ${done} done, ${left} min left, and it took ${remaining}`);
  }
});
