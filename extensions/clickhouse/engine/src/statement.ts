/** Spaces, line comments and block comments before a statement. */
const leading = /^(?:\s|--[^\n]*(?:\n|$)|#!?[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|\()*/;

/** Returns the first word of a statement, in capitals. */
export function verbOf(sql: string): string {
  const word = /^[A-Za-z]+/.exec(sql.slice(leading.exec(sql)?.[0].length ?? 0));
  return word?.[0].toUpperCase() ?? '';
}

/** Returns the format that the statement itself names at its end; `undefined` if it names none. */
export function formatOf(sql: string): string | undefined {
  return /\bformat\s+(\w+)\s*(?:settings\s[\s\S]*)?;?\s*$/i.exec(sql)?.[1];
}

/**
 * Formats whose parts can be concatenated. The engine formats each part of a streamed result as a whole, so a format with a
 * header or a footer would have one in each part.
 */
const streamable = new Set([
  'JSONEachRow',
  'JSONCompactEachRow',
  'JSONStringsEachRow',
  'TabSeparated',
  'TSV',
  'CSV',
]);

/** Returns whether the engine can stream the result of the statement in this format. */
export function isStreamable(sql: string, format: string): boolean {
  return ['SELECT', 'WITH'].includes(verbOf(sql)) && streamable.has(format);
}
