import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { progressFileOf } from './group-progress.ts';

/**
 * A part of the tests: rules and features (`quick`), tests that start servers, databases or browsers (`processes`), long
 * storms (`soak`), and all tests of the extensions.
 */
const rings = ['quick', 'processes', 'soak', 'extensions'] as const;

/** The part of the tests that a run without file names covers. */
export type Ring = (typeof rings)[number] | 'all';

/** Files per process: saves nine tenths of the loading time, and a process stays under 600 MB. */
const filesPerGroup = 10;

/** A file that begins with `// own process: <why>` is run alone. */
const ownProcess = /^\/\/ own process: \S/;

/** A file that begins with `// soak: <why>` belongs to the soak ring. It has its own process. */
const soak = /^\/\/ soak: \S/;

/** Files of these folders, and files that begin with `// processes: <why>`, belong to the ring `processes`. */
const processFolders = /^server\/(test\/(deploy|e2e|guides|rolling-restart)|src\/postgres\/embedded)\//;
const processes = /^(\/\/ .*\n)*\/\/ processes: \S/;

const groupRunner = fileURLToPath(new URL('./file-group.ts', import.meta.url));

/**
 * Returns the entries for the test runner in a run of a whole ring: the files that need their own process, and a
 * script for each group of files that share one [D111]. The groups are the same on every machine.
 *
 * @param root the project; `files` are relative to it
 * @param dir where the scripts are written
 */
export function planRun(root: string, files: readonly string[], dir: string, ring: Ring = 'quick'): string[] {
  const plans = [...files].sort().map((file) => planOf(root, file));
  const inRing = plans.filter((plan) => ring === 'all' || plan.ring === ring);
  const alone = inRing.filter(({ isAlone }) => isAlone).map(({ file }) => file);
  const shared = inRing.filter(({ isAlone }) => !isAlone).map(({ file }) => file);
  mkdirSync(dir, { recursive: true });
  const scripts = dealIntoGroups(shared).map((group, index) => {
    const script = join(dir, `group-${String(index + 1).padStart(2, '0')}.test.mjs`);
    const lines = [
      `import { runFiles } from ${JSON.stringify(groupRunner)};`,
      `await runFiles(${JSON.stringify(group)}, ${JSON.stringify(progressFileOf(script))});`,
    ];
    writeFileSync(script, `${lines.join('\n')}\n`);
    return script;
  });
  return [...alone, ...scripts];
}

interface FilePlan {
  readonly file: string;
  readonly ring: Ring;
  readonly isAlone: boolean;
}

function planOf(root: string, file: string): FilePlan {
  const text = readFileSync(join(root, file), 'utf8');
  return { file, ring: ringOf(file, text), isAlone: soak.test(text) || ownProcess.test(text) };
}

function ringOf(file: string, text: string): Ring {
  if (file.startsWith('extensions/')) return 'extensions';
  if (soak.test(text)) return 'soak';
  return processFolders.test(file) || processes.test(text) ? 'processes' : 'quick';
}

/** Deals the files out in turns, so that the slow files of one feature are in different groups. */
function dealIntoGroups(files: readonly string[]): string[][] {
  const groups = Array.from({ length: Math.ceil(files.length / filesPerGroup) }, (): string[] => []);
  files.forEach((file, index) => {
    groups[index % groups.length]?.push(file);
  });
  return groups;
}
