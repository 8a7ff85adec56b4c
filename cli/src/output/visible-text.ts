// Titles and notes come from others: a control character in one of them must not reach the terminal.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const charactersThatJsonKeeps = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Formats a value for a cell or a line: `-` for nothing, lists with commas, one line without control characters. */
export function visibleText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(visibleText).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(controlCharacters, escaped);
}

/** Formats JSON whose text is safe to show on a terminal; it parses to the same value. */
export function jsonForTerminal(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(charactersThatJsonKeeps, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
