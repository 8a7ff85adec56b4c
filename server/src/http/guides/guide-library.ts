import { readdir, readFile } from 'node:fs/promises';
import type { ErrorCode } from '../../errors/error-catalogue.ts';
import type { Listener } from '../metrics.ts';
import { errorGuide, errorTable, listedCodes } from './error-guide.ts';
import { type Guide, titleOf } from './guide.ts';
import { type IndexSection, readIndex } from './guide-index.ts';

export interface GuideLibrary {
  /** The guides by slug; the index first. */
  readonly guides: ReadonlyMap<string, Guide>;
  readonly sections: readonly IndexSection[];
}

const operators = 'operators';
const folder = new URL('../../../../docs/guides/', import.meta.url);

/**
 * Reads the sources of the guides, as pairs of a slug and the text of its Markdown file. The slug of `README.md` is that of its
 * folder: an empty string, or `operators`.
 * @throws Error if the folder cannot be read
 */
export async function readGuideFiles(): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => name.endsWith('.md')).sort();
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, string]> => {
        const slug = path.replaceAll('\\', '/').replace(/(?:\/?README)?\.md$/, '');
        return [slug, await readFile(new URL(path, folder), 'utf8')];
      }),
    ),
  );
}

/** Reads the guides of a listener; those for operators are internal. @throws Error if a file is missing */
export async function loadGuides(listener: Listener): Promise<GuideLibrary> {
  const files = await readGuideFiles();
  const texts = new Map<string, string>([['', indexText(files, listener)]]);
  for (const [slug, text] of files) {
    if (slug === '' || slug === operators || slug.startsWith('errors/')) continue;
    if (slug.startsWith(`${operators}/`) && listener === 'client') continue;
    texts.set(slug, slug === 'errors' ? `${text}\n${errorTable()}\n` : text);
  }
  for (const code of listedCodes) texts.set(`errors/${code}`, errorText(files, code, listener));
  const guides = [...texts].map(([slug, markdown]): [string, Guide] => [
    slug,
    { slug, title: titleOf(markdown), markdown },
  ]);
  return { guides: new Map(guides), sections: readIndex(textOf(texts, '')) };
}

function errorText(files: ReadonlyMap<string, string>, code: ErrorCode, listener: Listener): string {
  return errorGuide(code, textOf(files, `errors/${code}`), listener);
}

/** The internal listener's index ends with the section for operators, whose links are relative to their own folder. */
function indexText(files: ReadonlyMap<string, string>, listener: Listener): string {
  const index = textOf(files, '');
  if (listener === 'client') return index;
  const more = textOf(files, operators).replace(/^# /, '## ').replaceAll('](', `](${operators}/`);
  return `${index}\n${more}`;
}

function textOf(files: ReadonlyMap<string, string>, slug: string): string {
  const text = files.get(slug);
  if (text === undefined) throw new Error(`docs/guides has no page "${slug}"`);
  return text;
}
