/** A function, method, or function type with its positional parameters. */
export interface ParameterList {
  /** The name before the parentheses; `(anonymous)` for an arrow function that is no constant. */
  readonly name: string;
  readonly count: number;
}

const controlWords = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'await', 'super', 'with']);

/**
 * Finds the parameter lists of TypeScript source by its tokens. A pair of parentheses is one if an arrow, a block or a return
 * type follows, and nothing before it says that it is a condition or a call.
 */
export function parameterListsOf(source: string): ParameterList[] {
  const code = blankOut(source);
  const lists: ParameterList[] = [];
  for (let open = code.indexOf('('); open !== -1; open = code.indexOf('(', open + 1)) {
    const close = closingOf(code, open);
    if (close === -1) continue;
    const parameters = splitAtCommas(code.slice(open + 1, close));
    const name = nameBefore(code.slice(Math.max(0, open - 200), open));
    if (name === null || !isFollowedAsParameters(code.slice(close + 1, close + 40), parameters)) continue;
    lists.push({ name, count: parameters.length });
  }
  return lists;
}

/** The name that parentheses belong to; null after a control word. */
function nameBefore(before: string): string | null {
  const text = before.replace(/<[^<>()]*(<[^<>()]*>[^<>()]*)*>\s*$/, '').trimEnd();
  const word = /([\w$#]+)$/.exec(text)?.[1];
  if (word === undefined || word === 'async')
    return /([\w$]+)\s*(?::[^=;]*)?=\s*(?:async)?$/.exec(text)?.[1] ?? '(anonymous)';
  return controlWords.has(word) ? null : word;
}

function isFollowedAsParameters(after: string, parameters: readonly string[]): boolean {
  const text = after.trimStart();
  if (text.startsWith('=>') || text.startsWith('{')) return true;
  // A type after the parentheses, not the other branch of `a ? call(b) : c`: parameters have types too.
  return (
    text.startsWith(':') &&
    parameters.length > 0 &&
    parameters.every((one) => /^[^(]*?[:=]|^\.\.\./.test(one))
  );
}

/** The same text with everything in comments, strings and templates replaced by spaces. */
function blankOut(source: string): string {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g;
  return source.replace(token, (match) => match.replaceAll(/[^\n]/g, ' '));
}

function closingOf(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if ('([{'.includes(code[at] as string)) depth += 1;
    if (')]}'.includes(code[at] as string)) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** Splits at the commas outside inner brackets, including those of type arguments. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if ('([{'.includes(char) || (char === '<' && /\w/.test(text[at - 1] ?? ''))) depth += 1;
    if (')]}'.includes(char) || (char === '>' && text[at - 1] !== '=')) depth -= 1;
    if (char === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}
