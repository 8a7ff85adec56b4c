// nightly: a load of minutes at the default limits, with a clock that is set
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { progressLines, startVirtualService } from './hours.ts';
import { SyncFolder } from './sync-kit.ts';

const service = await startVirtualService();
const folder = new SyncFolder();
const load = (name: string, count: number) =>
  folder.file(`${name}.csv`, [
    'sku,is_active',
    ...Array.from({ length: count }, (_, n) => `${name}${n},true`),
  ]);

describe('a sync without a terminal, at the default limits', () => {
  it('writes a line a minute, with the time that the limits leave', async () => {
    const { code, stdout, stderr } = await service.run(await service.newCliBrand(), [
      'sync',
      load('A', 300),
      '--yes',
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^about 4 min: writes 60\/min\n300 written$/m);
    const lines = progressLines(stderr, 'Writing');
    assert.ok(lines.length >= 3 && lines.length <= 6, stderr);
    for (const [at, [, minutes]] of lines.entries())
      assert.ok(Math.abs((minutes ?? 0) - (lines.length - at - 1)) <= 1, stderr);
    assert.doesNotMatch(stderr, /\d+m\d+s|Too many/);
  });

  it('waits ten minutes for a service that went away, says so once, and exits with 5', async () => {
    let isEnded = false;
    const file = load('B', 150);
    const { code, stdout, stderr } = await service.run(
      await service.newCliBrand(),
      ['sync', file, '--yes'],
      (text) => {
        if (isEnded || !text.includes('Writing: ')) return;
        isEnded = true;
        void service.stop();
      },
    );
    assert.equal(code, 5, stderr);
    assert.match(stderr, /^The connection to .* failed.*Waiting for the service, 10 minutes at most\.$/m);
    assert.equal(stderr.match(/Waiting for the service/g)?.length, 1, stderr);
    const [, written = '', left = ''] = /^(\d+) written, (\d+) left; run it again\.$/m.exec(stderr) ?? [];
    assert.equal(Number(written) + Number(left), 150, stderr);
    assert.ok(Number(written) >= 60, stderr);
    const minutes = progressLines(stderr, 'Writing').filter(([done]) => done === Number(written)).length;
    assert.ok(minutes >= 9 && minutes <= 12, `${minutes} minutes: ${stderr}`);
    assert.doesNotMatch(stdout, /written/);
  });
});
