import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const timeLimit = fileURLToPath(new URL('../time-limit.ts', import.meta.url));

/** Runs a script in a process that has `limitMs`; `limitTime` returns what lifts the limit. */
function run(script: string): Promise<{ code: number; stderr: string }> {
  const source = `import { limitTime } from ${JSON.stringify(timeLimit)};\n${script}`;
  return new Promise((resolve) => {
    const args = ['--input-type=module', '--eval', source];
    const child = execFile(process.execPath, args, { timeout: 30_000 }, (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stderr }),
    );
  });
}

describe('the time limit of a test process', () => {
  it('ends a process that stays open, and names what keeps it open', async () => {
    const { code, stderr } = await run(
      `limitTime('some.test.ts', 200); (await import('node:net')).createServer().listen(0);`,
    );
    assert.equal(code, 1);
    assert.match(stderr, /^✖ some\.test\.ts: not done after 0\.2 s\. Open: .*TCPServerWrap/);
  });

  it('keeps no process open', async () => {
    assert.deepEqual(await run(`limitTime('some.test.ts', 60_000);`), { code: 0, stderr: '' });
  });

  it('can be lifted', async () => {
    const script = `const lift = limitTime('some.test.ts', 100); lift(); setTimeout(() => {}, 400);`;
    assert.deepEqual(await run(script), { code: 0, stderr: '' });
  });
});
