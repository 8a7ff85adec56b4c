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

/** Files that import each other in a circle, types included: each circle as the path around it. */
export function circlesIn(files: readonly SourceFile[]): string[] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  const circles: string[] = [];
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    else if (!finished.has(path)) {
      for (const to of imports.get(path) ?? []) visit(to, [...trail, path]);
      finished.add(path);
    }
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}
