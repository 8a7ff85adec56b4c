import { basename } from 'node:path/posix';
import type { SourceFile } from './source-imports.ts';

/**
 * Where SQL may stand, whole statements and parts of them. Authentication keeps its one look-up next to the rule that it
 * serves; an invariant has its queries next to its sentence.
 */
const sqlPlaces = [
  /-store\.ts$/,
  /(^|\/)postgres\//,
  /^doctor\//,
  /\/extensions\/[^/]+\/src\/store\//,
  /^access\/authentication\//,
];

/** SQL as it looks in a string: statements, and clauses of which a statement is composed elsewhere. */
const sqlText = [
  /\bselect\s[\s\S]*?\sfrom\s/,
  /\binsert\s+into\s/,
  /\bupdate\s+[\w.]+(\s+(as\s+)?\w+)?\s+set\s/,
  /\bdelete\s+from\s/,
  /\bfrom\s+\w+(\s+\w+)?\s+(where\s|((left|inner|cross)\s+)?join\s)/,
  /\bjoin\s+[\w.]+(\s+(as\s+)?\w+)?\s+on\s/,
  /\w\s*(=|<>|<|>|<=|>=|in)\s*(any\s*)?\(?\$\d/,
];

/** Returns whether a file may hold SQL. One that is named after its only operation has its route, query and mapping together. */
export function mayHoldSql({ path, text }: SourceFile): boolean {
  if (sqlPlaces.some((place) => place.test(path))) return true;
  const operations = [...text.matchAll(/^(?:export )?const \w+Operation = .*\(\{\s*id: '(\w+)'/gm)];
  return operations.length === 1 && kebab(operations[0]?.[1] as string) === basename(path, '.ts');
}

function kebab(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Returns whether a file takes the function that every statement is built with (its type alone says nothing), or has SQL
 * in a string.
 */
export function holdsSql(text: string): boolean {
  const [, names = ''] = /import\s*\{([^}]*)\}\s*from\s*'[^']*postgres\/statement\.ts'/.exec(text) ?? [];
  if (/(^|[\s,{])statement\b/.test(names)) return true;
  return stringsOf(text).some((string) => sqlText.some((pattern) => pattern.test(string)));
}

/** The string and template literals of a file; comments are passed over. */
function stringsOf(text: string): string[] {
  const tokens = text.match(
    /\/\*[\s\S]*?\*\/|\/\/.*|`(?:\\[\s\S]|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g,
  );
  return (tokens ?? []).filter((token) => !token.startsWith('/'));
}
