import { readdir, readFile } from 'node:fs/promises';

/** The sources of the guides: Markdown files of the repository. */
const folder = new URL('../../../../docs/guides/', import.meta.url);

/**
 * Reads the sources, as pairs of a slug and the text of its file. The slug of `README.md` is that of its folder: an empty
 * string, or `operators`.
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
