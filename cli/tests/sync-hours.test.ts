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
  const begun = Date.now();
  const { code, stdout, stderr } = await service.run(await service.newCliBrand(), ['sync', file, '--yes']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^about 3 h: writes 60\/min$/m);
  assert.match(stdout, new RegExp(`^${count} written$`, 'm'));
  const lines = progressLines(stderr, 'Writing');
  assert.ok(Math.abs(lines.length - minutes) <= 3, `${lines.length} lines`);
  for (const [at, [done, left]] of lines.entries()) {
    const windows = Math.floor((count - done - 1) / 60);
    assert.ok(Math.abs((left ?? 0) - windows) <= Math.max(3, 0.02 * windows), `line ${at}: ${done}, ${left}`);
  }
  // The clock has moved: nobody waits three hours for this test.
  assert.ok(Date.now() - begun < 15 * 60_000);
});
