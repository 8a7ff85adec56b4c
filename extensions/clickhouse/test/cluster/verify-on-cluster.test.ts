import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isClickHouseInstalled, startClickHouseEngine } from '../support/clickhouse-engine.ts';

const isInstalled = isClickHouseInstalled();
const engine = isInstalled ? await startClickHouseEngine({ password: 'a secret' }) : null;
after(() => engine?.stop());

async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const script = fileURLToPath(new URL('./verify-on-cluster.ts', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, output: output + errors };
}

// [D196]
describe('verify-on-cluster', { skip: !isInstalled }, () => {
  it('says what a single server proves and what it does not', async () => {
    const { code, output } = await run(engine?.url ?? '', '--no-contract');
    assert.equal(code, 0, output);
    assert.match(output, /^proved {6}the server answers: ClickHouse \d+\./m);
    assert.match(output, /^proved {6}a wrong password is refused$/m);
    assert.match(output, /^proved {6}an exceeded limit of time is code 159$/m);
    assert.match(output, /^not proved {2}TLS/m);
    assert.match(output, /^not proved {2}an insert with a quorum/m);
    assert.match(output, /^not proved {2}the contract/m);
    assert.doesNotMatch(output, /a secret|a%20secret/);
  });

  it('proves nothing of replication on a cluster without replicas', async () => {
    const open = await startClickHouseEngine();
    try {
      const { output } = await run(open.url, '--no-contract', '--cluster=nowhere');
      assert.match(
        output,
        /^not proved {2}an insert with a quorum is readable on every replica at once: nowhere has 0/m,
      );
    } finally {
      await open.stop();
    }
  });

  it('refuses to start without an address', async () => {
    const { code, output } = await run('--cluster=x');
    assert.equal(code, 2);
    assert.match(output, /usage/);
  });
});
