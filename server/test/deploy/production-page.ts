import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from '../support/server-process.ts';

/** The text of docs/production.md. */
export const productionPage = await readFile(join(projectDir, 'docs/production.md'), 'utf8');

/** Returns the shell blocks of a section of docs/production.md, without the indentation of a list. */
export function blocksOf(heading: string): string[] {
  const section = productionPage.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}
