import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files per process: saves nine tenths of the loading time, and a process stays under 600 MB. */
const filesPerGroup = 10;

/** A file that begins with `// own process: <why>` is run alone, as all of `server/test/` are: these start servers. */
const ownProcess = /^\/\/ own process: \S/;

const groupRunner = fileURLToPath(new URL('./file-group.ts', import.meta.url));

/**
 * Returns what the test runner gets for a whole run: one script for each group of files that share a process, and the
 * files that need one of their own. The groups are the same on every machine.
 *
 * @param root the project; `files` are relative to it
 * @param dir where the scripts are written
 */
export function planRun(root: string, files: readonly string[], dir: string): string[] {
  const sorted = [...files].sort();
  const alone = sorted.filter((file) => needsOwnProcess(root, file));
  const shared = sorted.filter((file) => !alone.includes(file));
  mkdirSync(dir, { recursive: true });
  const scripts = dealIntoGroups(shared).map((group, index) => {
    const script = join(dir, `group-${String(index + 1).padStart(2, '0')}.test.mjs`);
    const lines = [
      `import { runFiles } from ${JSON.stringify(groupRunner)};`,
      `await runFiles(${JSON.stringify(group)});`,
    ];
    writeFileSync(script, `${lines.join('\n')}\n`);
    return script;
  });
  return [...scripts, ...alone];
}

function needsOwnProcess(root: string, file: string): boolean {
  return file.startsWith('server/test/') || ownProcess.test(readFileSync(join(root, file), 'utf8'));
}

/** Deals the files out in turns, so that the slow files of one feature are in different groups. */
function dealIntoGroups(files: readonly string[]): string[][] {
  const groups = Array.from({ length: Math.ceil(files.length / filesPerGroup) }, (): string[] => []);
  files.forEach((file, index) => {
    groups[index % groups.length]?.push(file);
  });
  return groups;
}
