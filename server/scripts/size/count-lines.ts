import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Area, areaOf, partOf } from './area-of.ts';

export interface CountedFile {
  readonly path: string;
  readonly area: Area;
  readonly part: string;
  readonly lines: number;
}

/** Counts the lines of the files that git tracks, as they are on disk; a file that is deleted there counts nothing. */
export async function countLines(root: string): Promise<CountedFile[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 2 ** 24 });
  const counted: CountedFile[] = [];
  for (const path of stdout.split('\0')) {
    const area = areaOf(path);
    if (area === null) continue;
    const text = await readFile(join(root, path), 'utf8').catch(() => '');
    if (text !== '') counted.push({ path, area, part: partOf(path), lines: text.split('\n').length - 1 });
  }
  return counted;
}
