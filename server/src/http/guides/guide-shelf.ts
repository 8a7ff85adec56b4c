import type { Listener } from '../metrics.ts';
import { type GuideAssets, loadAssets } from './guide-assets.ts';
import { type GuideLibrary, loadGuides } from './guide-library.ts';
import { markdownWithLinks } from './guide-links.ts';
import { guidePage, type PageFrame } from './guide-page.ts';
import { ServedPage } from './served-page.ts';

/** The content of a shelf, read from files. */
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
  return { ...collection, assets, frame: { sections: collection.sections, assetVersion: assets.version } };
}
