import { folderOf, importsOf, type SourceFile, topOf } from './source-imports.ts';

/** Pairs of folders of one feature that import from each other. */
export function folderCirclesIn(files: readonly SourceFile[]): string[] {
  const arrows = new Set<string>();
  for (const file of files)
    for (const to of importsOf(file))
      if (topOf(to) === topOf(file.path)) arrows.add(`${folderOf(file.path)} <-> ${folderOf(to)}`);
  return [...arrows].filter((arrow) => {
    const [from, to] = arrow.split(' <-> ') as [string, string];
    return from < to && from.includes('/') && arrows.has(`${to} <-> ${from}`);
  });
}
