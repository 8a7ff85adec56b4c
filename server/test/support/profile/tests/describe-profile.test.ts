import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { describe, it } from 'node:test';
import { cpuUseBetween, readCpuUse } from '../cpu-use.ts';
import { describeProfile } from '../describe-profile.ts';

describe('the profile of a run', () => {
  it('lists files by processor time, and what belongs to no file', () => {
    const records = [
      { kind: 'file', name: 'a.test.ts', cpu: { own: 1000, children: 0 }, wall: 9000 },
      { kind: 'file', name: 'b.test.ts', cpu: { own: 500, children: 2500 }, wall: 4000 },
      {
        kind: 'process',
        name: '/tmp/run/group-01.test.mjs',
        cpu: { own: 2300, children: 2500 },
        wall: 13_000,
      },
      { kind: 'process', name: 'alone.test.ts', cpu: { own: 200, children: 0 }, wall: 300 },
    ];
    const text = describeProfile(records.map((record) => JSON.stringify(record)).join('\n'), {
      own: 100,
      children: 9900,
    });
    const lines = text.split('\n').map((line) => line.trim().split(/\s{2,}/));
    assert.deepEqual(lines.slice(1), [
      ['3.0', '0.5', '2.5', '4.0', 'b.test.ts'],
      ['1.0', '1.0', '0.0', '9.0', 'a.test.ts'],
      ['0.2', '0.2', '0.0', '0.3', 'alone.test.ts'],
      ['0.0', '0.0', '0.0', '0.0', '0 other files'],
      ['0.8', '0.8', '0.0', 'loading of the processes that files share'],
      ['5.0', '5.0', '0.0', 'PostgreSQL and the runner'],
      ['10.0', '0.1', '9.9', 'the whole run'],
    ]);
  });

  it('counts this process and the processes that it started', () => {
    const before = readCpuUse();
    execFileSync(process.execPath, ['-e', 'for (let n = 0; n < 3e8; n += 1);']);
    const { own, children } = cpuUseBetween(before, readCpuUse());
    if (process.platform !== 'linux') return;
    // This process has threads that collect garbage of the files before.
    assert.ok(children >= 100 && own < children, `${children} ms, ${own} ms here`);
  });
});
