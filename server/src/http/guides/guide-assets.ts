import { readFile } from 'node:fs/promises';
import { pageStyle } from '../docs/page-style.ts';
import { ServedPage } from './served-page.ts';

/** The style sheet and the script of the pages. */
export interface GuideAssets {
  find(name: string): ServedPage | undefined;
  /** Changes when the bytes of one of them change. */
  readonly version: string;
}

const types: Readonly<Record<string, string>> = { 'guides.css': 'text/css', 'guides.js': 'text/javascript' };

/** @throws Error if a file cannot be read */
export async function loadAssets(): Promise<GuideAssets> {
  const byName = new Map<string, ServedPage>();
  for (const [name, type] of Object.entries(types)) {
    const text = await readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8');
    byName.set(name, new ServedPage(name.endsWith('.css') ? pageStyle + text : text, type));
  }
  return {
    find: (name) => byName.get(name),
    version: [...byName.values()].map(({ version }) => version.slice(0, 8)).join(''),
  };
}
