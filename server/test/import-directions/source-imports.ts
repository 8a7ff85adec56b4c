import { dirname, join, normalize } from 'node:path/posix';

export interface SourceFile {
  /** Below `server/src`; files of extensions begin with `../../extensions/`. */
  readonly path: string;
  readonly text: string;
}

/** Lists the imports of a file from the project: paths below `server/src`, or outside of it with `../`. */
export function importsOf({ path, text }: SourceFile): string[] {
  const specifiers = text.matchAll(/(?:^|[^\w.])(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"]+)\1/g);
  return [...specifiers].map(([, , specifier]) =>
    normalize(join(dirname(path), specifier as string)).replace(/^\.\.\/\.\.\/server\/src\//, ''),
  );
}

/** The extension of a file; null: it is of the core, or of neither. */
export const extensionOf = (path: string) => /^\.\.\/\.\.\/extensions\/([^/]+)\//.exec(path)?.[1] ?? null;

export const isInExtension = (path: string) => extensionOf(path) !== null;

/** The top folder, or the file itself if it is in none. */
export const topOf = (path: string) => path.split('/')[0] as string;

/** The folder of a file within its feature; the feature itself for a file in no folder. */
export const folderOf = (path: string) => path.split('/').slice(0, -1).slice(0, 2).join('/');
