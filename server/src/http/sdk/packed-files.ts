import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PackedFile {
  readonly file: string;
  readonly package: string;
  readonly version: string;
  readonly bytes: Buffer;
  /** The hash that a lock file of npm has. */
  readonly integrity: string;
}

const tarball = /^brandport-(client|cli)-(\d+\.\d+\.\d+[\w.-]*)\.tgz$/;

/** Reads the tarballs of a folder, the SDK first; none if the folder does not exist. */
export async function readPackedFiles(dir: string): Promise<PackedFile[]> {
  const names = await readdir(dir).catch(() => []);
  const files = names
    .sort()
    .reverse()
    .map(async (file): Promise<PackedFile[]> => {
      const [, name, version] = tarball.exec(file) ?? [];
      if (name === undefined || version === undefined) return [];
      const bytes = await readFile(join(dir, file));
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      return [{ file, package: `@brandport/${name}`, version, bytes, integrity }];
    });
  return (await Promise.all(files)).flat();
}
