import { extensionOf, folderOf, importsOf, isInExtension, type SourceFile, topOf } from './source-imports.ts';
import { holdsSql, mayHoldSql } from './sql-in-source.ts';

/**
 * The layers, lowest first: a file imports from its own folder and from the layers below. Folders that share a layer know
 * nothing of each other, so each can be removed, or moved to another machine; only `config.ts` and `serve` are one.
 */
const layers: readonly (readonly string[])[] = [
  ['lib'],
  ['errors'],
  ['postgres'],
  ['queue'],
  ['api'],
  ['audit'],
  ['brands'],
  ['access'],
  ['catalog', 'analytics'],
  ['retention'],
  ['directory', 'doctor', 'backup', 'brand-summaries'],
  ['jobs'],
  ['search', 'overview'],
  ['alerts'],
  ['http'],
  ['config.ts', 'serve'],
  ['commands'],
  ['main.ts'],
];

/** The folders of the catalog, lowest first. Files in `catalog/` itself are below all folders, except `catalog-operations.ts`. */
const catalogFolders = ['skus', 'axes', 'stock', 'axis-selection', 'variants', 'products', 'feeds'];

/** The only file of the core that imports extensions. They use everything up to its layer. */
const loader = 'serve/load-extensions.ts';

/** Tests, and what only they use: each `tests/` folder belongs to the folder above it. */
export const isForTests = (path: string) => /(^|\/)tests\//.test(path);

/** Returns whether an import within the catalog goes up; a folder that is not in the list imports from nowhere. */
function goesUpInCatalog(from: string, to: string): boolean {
  if (topOf(from) !== 'catalog' || topOf(to) !== 'catalog' || from === 'catalog/catalog-operations.ts')
    return false;
  const place = (path: string) => catalogFolders.indexOf(path.split('/')[1] as string);
  return (
    folderOf(from) !== folderOf(to) && (place(to) > place(from) || to === 'catalog/catalog-operations.ts')
  );
}

const rankOf = (path: string) => layers.findIndex((layer) => layer.includes(topOf(path)));

/** Returns the breach of one import; null without one. */
function breachOf(from: string, to: string): string | null {
  if (isInExtension(to) && from === loader) return null;
  if (isInExtension(to) && extensionOf(to) !== extensionOf(from)) return 'is of an extension';
  if (isInExtension(from)) return isForTests(to) ? 'is for tests only' : breachOfExtension(to);
  if (to.startsWith('../')) return 'is outside of server/src';
  if (isForTests(to)) return 'is for tests only';
  if (rankOf(to) === -1) return 'is in no layer; give it one';
  if (rankOf(to) > rankOf(from)) return 'is above';
  if (rankOf(to) === rankOf(from) && topOf(to) !== topOf(from) && topOf(to) !== 'config.ts')
    return 'belongs to a stranger';
  if (goesUpInCatalog(from, to)) return 'is in a higher folder of the catalog';
  return null;
}

/** Returns the breach of what an extension imports from itself or from the core. */
function breachOfExtension(to: string): string | null {
  if (isInExtension(to)) return null;
  if (to.startsWith('../')) return 'is neither of the core nor of the extension';
  return rankOf(to) > rankOf(loader) ? 'is above the loader of extensions' : null;
}

/** Returns all breaches of the files, a sentence each. Circles are in `circles.ts`. */
export function breachesIn(files: readonly SourceFile[]): string[] {
  const breaches: string[] = [];
  for (const file of files.filter(({ path }) => !isForTests(path))) {
    if (rankOf(file.path) === -1 && !isInExtension(file.path))
      breaches.push(`${file.path} is in no layer; give it one`);
    for (const to of importsOf(file)) {
      const breach = breachOf(file.path, to);
      if (breach !== null) breaches.push(`${file.path} imports ${to}, which ${breach}`);
    }
    if (/^\s*declare (module\s+['"]\.|global\b)/m.test(withoutComments(file.text)))
      breaches.push(`${file.path} extends an interface of another file of ours, which imports do not show`);
    if (holdsSql(file.text) && !mayHoldSql(file))
      breaches.push(`${file.path} holds SQL, which belongs into a store, or the file of its operation`);
    if (file.path !== 'main.ts' && /\bprocess\.(env|argv|on|once|exit)\b/.test(withoutComments(file.text)))
      breaches.push(`${file.path} reads the environment of the process, or ends it, which only main.ts does`);
  }
  return breaches;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
