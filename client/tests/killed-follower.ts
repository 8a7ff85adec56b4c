import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../server/test/support/wait-for.ts';

const main = fileURLToPath(new URL('./follow-changes.ts', import.meta.url));
const rounds = 4;

/**
 * Follows changes in a process that is killed in the middle of each of four rounds of writes, in the last one after `isDone`.
 * @param args the service, the key, a folder for state and output, and what is followed
 * @param write writes for a round, counted from 1
 * @returns every item that the processes have written down, in their order
 */
export async function followUnderKills<Item>(
  args: { url: string; apiKey: string; dir: string; of: 'products' | 'stock' },
  write: (round: number) => Promise<void>,
  isDone: (copied: readonly Item[]) => boolean,
): Promise<Item[]> {
  const [state, out] = [join(args.dir, 'killed-state'), join(args.dir, 'killed-out')];
  writeFileSync(out, '');
  const copied = (): Item[] =>
    readFileSync(out, 'utf8')
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text));
  for (let round = 1; round <= rounds; round += 1) {
    const lines = copied().length;
    const command = [main, args.url, args.apiKey, state, out, args.of];
    const child = spawn(process.execPath, command, { stdio: 'inherit' });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const writing = write(round);
    await waitFor('the first changes of a run', () => copied().length > lines);
    if (round === rounds) {
      await writing;
      await waitFor('the last change', () => isDone(copied()));
    }
    child.kill('SIGKILL');
    await exited;
    await writing;
  }
  return copied();
}
