import { basename } from 'node:path/posix';
import type { Rule, SourceFile } from './source-file.ts';

const maxWidth = 130;

export const testPlaceRule: Rule = ({ path }) => {
  const isTest = path.endsWith('.test.ts') || /(fixture|mock|stub)/.test(basename(path));
  const isInTestFolder = /(^|\/)tests\//.test(path) || /^(server|extensions\/[^/]+)\/test\//.test(path);
  return isTest && !isInTestFolder ? ['is for tests only and stands outside of a tests/ folder'] : [];
};

/** Lines of comments, and of SQL over several lines. Biome wraps code, and strings are as long as they are. */
export const widthRule: Rule = ({ text }) => {
  const sql = linesOfSql(text);
  const wide = text.split('\n').flatMap((line, index) => {
    const isComment = /^\s*(\/\/|\/\*|\*)/.test(line);
    return line.length > maxWidth && (isComment || sql.has(index)) ? [index + 1] : [];
  });
  return wide.length === 0
    ? []
    : [`has comments or SQL over ${maxWidth} characters: lines ${wide.join(', ')}`];
};

/** The indexes of the lines inside of template literals that hold SQL over several lines. */
function linesOfSql(text: string): Set<number> {
  const indexes = new Set<number>();
  for (const { 0: template, index } of text.matchAll(/`(?:[^`\\]|\\[\s\S])*`/g)) {
    const lines = template.split('\n');
    if (lines.length === 1 || !/^`\s*\(?\s*(select|insert|update|delete|with|create|alter)\b/.test(template))
      continue;
    const first = text.slice(0, index).split('\n').length - 1;
    for (let line = 0; line < lines.length; line += 1) indexes.add(first + line);
  }
  return indexes;
}

/** Names of constants and of enumerations in capitals. */
export const constantRule: Rule = ({ text }) =>
  [...text.matchAll(/^\s*(?:export )?(?:const|let|enum) ([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\b/gm)]
    .map(([, name]) => name as string)
    .filter((name) => name.length > 1)
    .map((name) => `${name} is written in capitals`);

/** Finds file names that two folders of the server share. */
export function repeatedNames(files: readonly SourceFile[]): string[] {
  const paths = files.map(({ path }) => path);
  const places = Map.groupBy(
    paths.filter((path) => path.startsWith('server/src/') && !path.includes('/tests/')),
    (path) => basename(path),
  );
  return [...places.values()].filter((same) => same.length > 1).map((same) => same.join(' and '));
}
