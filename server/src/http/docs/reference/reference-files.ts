import { readFile } from 'node:fs/promises';
import { sha256 } from '../../../lib/sha256.ts';
import { KeptBody } from '../kept-body.ts';

export interface ReferenceFile {
  readonly type: string;
  readonly body: KeptBody;
}

export interface ReferenceFiles {
  readonly byName: ReadonlyMap<string, ReferenceFile>;
  /** Changes when the bytes of one of the files change. */
  readonly version: string;
}

const own = new URL('./', import.meta.url);
const built = new URL('../../../../dist/reference/', import.meta.url);

const files = [
  { name: 'scalar.js', folder: built, type: 'text/javascript; charset=utf-8' },
  { name: 'init.js', folder: own, type: 'text/javascript; charset=utf-8' },
  { name: 'look.css', folder: own, type: 'text/css; charset=utf-8' },
] as const;

export const referenceFileNames: readonly string[] = files.map(({ name }) => name);

let loaded: Promise<ReferenceFiles | null> | undefined;

/**
 * Reads the files of the reference when the first reader asks for them, and keeps them for both listeners.
 * @returns null without the library's script, as after `npm ci --omit=dev`
 */
export function loadReferenceFiles(): Promise<ReferenceFiles | null> {
  loaded ??= read().catch((error: NodeJS.ErrnoException) => {
    loaded = undefined;
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return loaded;
}

async function read(): Promise<ReferenceFiles> {
  const bytes = await Promise.all(files.map(({ name, folder }) => readFile(new URL(name, folder))));
  return {
    byName: new Map(
      files.map(({ name, type }, n) => [name, { type, body: new KeptBody(bytes[n] as Buffer) }]),
    ),
    version: sha256(Buffer.concat(bytes)).toString('hex').slice(0, 16),
  };
}
