import { readFile } from 'node:fs/promises';
import type { Listener } from '../metrics.ts';
import { type GuideLibrary, loadGuides, markdownWithLinks } from './guide-library.ts';
import { guidePage, type PageFrame, ServedPage } from './guide-page.ts';

export interface ShelfContent extends GuideLibrary {
  readonly assets: GuideAssets;
  readonly frame: PageFrame;
}

/** The guides of a listener as they are sent [D130]. Files are read on first use, and each page is rendered once. */
export class GuideShelf {
  readonly #listener: Listener;
  readonly #pages = new Map<string, ServedPage>();
  #content: Promise<ShelfContent> | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** @throws Error if a file cannot be read; the next call tries again */
  content(): Promise<ShelfContent> {
    this.#content ??= load(this.#listener).catch((error: unknown) => {
      this.#content = undefined;
      throw error;
    });
    return this.#content;
  }

  /** Returns a guide as a page or as Markdown; null if there is no such guide. */
  async find(slug: string, form: 'html' | 'markdown'): Promise<ServedPage | null> {
    const { guides, frame } = await this.content();
    const guide = guides.get(slug);
    if (guide === undefined) return null;
    const key = `${form}:${slug}`;
    const page =
      this.#pages.get(key) ??
      (form === 'html'
        ? new ServedPage(guidePage(guide, frame), 'text/html')
        : new ServedPage(markdownWithLinks(guide.markdown, slug), 'text/markdown'));
    this.#pages.set(key, page);
    return page;
  }
}

async function load(listener: Listener): Promise<ShelfContent> {
  const [collection, assets] = await Promise.all([loadGuides(listener), loadAssets()]);
  return {
    ...collection,
    assets,
    frame: {
      sections: collection.sections,
      assetVersion: assets.version,
      hasConsole: listener === 'internal',
    },
  };
}

interface GuideAssets {
  find(name: string): ServedPage | undefined;
  /** Changes when the bytes of one of them change. */
  readonly version: string;
}

const types: Readonly<Record<string, string>> = { 'guides.css': 'text/css', 'guides.js': 'text/javascript' };

/** @throws Error if a file cannot be read */
async function loadAssets(): Promise<GuideAssets> {
  const byName = new Map<string, ServedPage>();
  for (const [name, type] of Object.entries(types)) {
    const text = await readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8');
    byName.set(name, new ServedPage(text, type));
  }
  return {
    find: (name) => byName.get(name),
    version: [...byName.values()].map(({ version }) => version.slice(0, 8)).join(''),
  };
}
