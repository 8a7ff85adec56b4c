// processes: a thousand starts that race for a lock
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lockPlace } from '../directory.ts';

const folder = await mkdtemp(join(tmpdir(), 'brandport-lock-'));
after(() => rm(folder, { recursive: true, force: true }));
/** A process that does not exist: ids end at 4,194,304. */
const gone = JSON.stringify({ pid: 4_194_305, host: (await import('node:os')).hostname(), since: '1' });

describe('the lock of a warehouse [D277]', () => {
  it('is taken by one of 1,000 racing starts at a time, also where the last holder was killed', async () => {
    const path = join(folder, 'race/lock');
    for (let round = 0; round < 125; round += 1) {
      const starts = Array.from({ length: 8 }, () => lockPlace(path));
      const outcomes = await Promise.allSettled(starts);
      const taken = outcomes.filter((each) => each.status === 'fulfilled');
      assert.equal(taken.length, 1, `round ${round}`);
      for (const each of outcomes)
        if (each.status === 'rejected')
          assert.match(String(each.reason), /is held by process \d+ on |was just taken by another process/);
      await taken[0]?.value();
      if (round % 2 === 0) await writeFile(path, gone);
    }
    await (await lockPlace(path))();
    assert.deepEqual(await readdir(join(folder, 'race')), []);
  });

  it('is never held by two processes', async () => {
    const [path, held] = [join(folder, 'processes/lock'), join(folder, 'held')];
    const module = fileURLToPath(new URL('../directory.ts', import.meta.url));
    // A holder that dies is played by one that leaves the lock of a process that does not exist.
    const script = `
      import { rm, writeFile } from 'node:fs/promises';
      import { lockPlace } from ${JSON.stringify(module)};
      let taken = 0;
      for (let start = 0; start < 250; start += 1) {
        const unlock = await lockPlace(${JSON.stringify(path)}).catch(() => null);
        if (unlock === null) continue;
        taken += 1;
        await writeFile(${JSON.stringify(held)}, '', { flag: 'wx' });
        await rm(${JSON.stringify(held)});
        if (start % 3 === 0) await writeFile(${JSON.stringify(path)}, ${JSON.stringify(gone)});
        else await unlock();
      }
      console.log(taken);`;
    const args = ['--conditions=source', '--input-type=module-typescript', '--eval', script];
    const runs = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, args));
    const taken = (await Promise.all(runs)).map(({ stdout }) => Number(stdout));
    assert.ok(
      taken.every((count) => count > 0),
      String(taken),
    );
    await assert.rejects(access(held), { code: 'ENOENT' });
  });

  for (const [name, text] of [
    ['an empty lock', ''],
    ['a damaged lock', '{"pid"'],
    ['the lock of another machine', '{"pid":1,"host":"elsewhere","since":null}'],
  ])
    it(`is not taken from ${name}`, async () => {
      const path = join(folder, 'lock');
      await writeFile(path, text ?? '');
      await assert.rejects(lockPlace(path), /is held by process .+ delete the file/);
      assert.equal(await readFile(path, 'utf8'), text);
      await rm(path);
    });

  it('says which file to delete after a process was killed while it took a lock over', async () => {
    const path = join(folder, 'lock');
    await writeFile(path, gone);
    await writeFile(`${path}.takeover`, gone);
    await assert.rejects(lockPlace(path), /lock\.takeover is held by process .+ delete the file/);
    await rm(`${path}.takeover`);
    await (await lockPlace(path))();
  });
});
