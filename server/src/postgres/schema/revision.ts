import { readFile } from 'node:fs/promises';
import { sha256 } from '../../lib/sha256.ts';
import type { SchemaFile } from './schema-file.ts';

/** The number in the folder's `revision.txt`; 0 where there is none. */
export async function readRevision(folder: URL): Promise<number> {
  return Math.max(0, ...entriesOf(await readText(folder)).map(({ revision }) => revision));
}

/**
 * Returns the text of `revision.txt` for the given views and routines: the same if it has their digest, else one with the next
 * number. A merge may have left several entries; the highest number counts.
 */
export async function nextRevisionText(folder: URL, objects: readonly SchemaFile[]): Promise<string> {
  const names = objects.map(({ name, checksum }) => `${name} ${checksum}\n`).sort();
  const digest = sha256(...names).toString('hex');
  const text = await readText(folder);
  const entries = entriesOf(text);
  if (entries.length === 1 && entries[0]?.digest === digest) return text;
  const revision = Math.max(0, ...entries.map((entry) => entry.revision)) + 1;
  return `${header}${revision} ${digest}\n`;
}

const header = `# The state of views/ and routines/: a number and their digest. \`npm run generate\` raises the number when a file changes.
# A database records the number, so that an older version does not apply its older files.
`;

function entriesOf(text: string): { revision: number; digest: string }[] {
  return [...text.matchAll(/^(\d+) ([0-9a-f]{64})$/gm)].map(([, revision, digest]) => ({
    revision: Number(revision),
    digest: digest as string,
  }));
}

async function readText(folder: URL): Promise<string> {
  return readFile(new URL('revision.txt', folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}
