import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { progressFileOf } from './group-progress.ts';

/**
 * A part of the tests [D111]: rules and features (`quick`), tests that start servers, databases or browsers (`processes`),
 * those of the extensions, and what takes long or needs a quiet machine (`nightly`).
 */
export type Ring = 'quick' | 'processes' | 'extensions' | 'nightly';

/** Files per process: saves nine tenths of the loading time, and a process stays under 600 MB. */
const filesPerGroup = 10;

/** A file that begins with `// nightly: <why>` belongs to that ring. It has its own process. */
const nightly = /^\/\/ nightly: \S/;

/** Files of these folders, and files that begin with `// processes: <why>`, belong to the ring `processes`. */
const processFolders = /^server\/(test\/(deploy|e2e|guides|rolling-restart)|src\/postgres\/embedded)\//;
const processes = /^\/\/ processes(, alone)?: \S/;

/** A file that begins so has its own process, as a file of the nightly ring has. */
const alone = /^\/\/ (own process|processes, alone|nightly): \S/;

/** Any of these comments. Behind other lines it would mean nothing. */
const marker = /^\/\/ (own process|processes|nightly)[:,] /m;

const groupRunner = fileURLToPath(new URL('./file-group.ts', import.meta.url));

/**
 * Returns the entries for the test runner in a run of whole rings: the files that need their own process, and a
 * script for each group of files that share one [D111]. The groups are the same on every machine.
 *
 * @param root the project; `files` are relative to it
 * @param dir where the scripts are written
 */
export function planRun(
  root: string,
  files: readonly string[],
  dir: string,
  rings: readonly Ring[] = ['quick'],
): string[] {
  const plans = [...files].sort().map((file) => planOf(root, file));
  const inRing = plans.filter((plan) => rings.includes(plan.ring));
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

/** @throws Error if the comment that names the file's ring is not its first line */
function planOf(root: string, file: string): FilePlan {
  const text = readFileSync(join(root, file), 'utf8');
  if ((marker.exec(text)?.index ?? 0) > 0)
    throw new Error(`${file} names its ring, but not in its first line`);
  return { file, ring: ringOf(file, text), isAlone: alone.test(text) };
}

function ringOf(file: string, text: string): Ring {
  if (nightly.test(text)) return 'nightly';
  if (file.startsWith('extensions/')) return 'extensions';
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
