import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PackedFile {
  readonly file: string;
  readonly package: string;
  readonly version: string;
  readonly bytes: number;
  /** The hash that a lock file of npm has. */
  readonly integrity: string;
}

const tarball = /^brandport-(client|cli|server)-(\d+\.\d+\.\d+[\w.-]*)\.tgz$/;
/** Each needs those before it, if it needs any. */
const order = ['client', 'cli', 'server'];

/** Describes the tarballs of a folder, the SDK first, then the command line; none if the folder does not exist. */
export async function findPackedFiles(dir: string): Promise<PackedFile[]> {
  const found: { place: number; packed: PackedFile }[] = [];
  for (const file of await readdir(dir).catch(() => [])) {
    const [, name, version] = tarball.exec(file) ?? [];
    if (name === undefined || version === undefined) continue;
    const content = await readFile(join(dir, file));
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    const packed = { file, package: `@brandport/${name}`, version, bytes: content.length, integrity };
    found.push({ place: order.indexOf(name), packed });
  }
  return found.sort((a, b) => a.place - b.place).map(({ packed }) => packed);
}
