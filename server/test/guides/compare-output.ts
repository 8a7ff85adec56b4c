import assert from 'node:assert/strict';

// biome-ignore lint/suspicious/noExplicitAny: documents and outputs are JSON.
type Json = any;

/** Compares what a page shows with what the command before it printed. @throws AssertionError */
export function compareOutput(language: string, shown: string, printed: string): void {
  if (language === 'json') compareJson(JSON.parse(shown), parsed(printed), '');
  else if (language === 'http') compareHead(shown, printed);
  else assert.equal(printed.trim(), shown.trim());
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new assert.AssertionError({ message: `not JSON: ${text.slice(0, 2_000)}` });
  }
}

/** Keys whose numbers differ from run to run. */
const volatileNumbers = new Set(['id', 'brand_id']);

/**
 * A page shows an excerpt: everything that it shows must be in the output. A list may have more entries at its end, unless
 * the page shows it empty.
 */
function compareJson(shown: Json, actual: Json, at: string): void {
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual), `${at} is no list: ${JSON.stringify(actual)}`);
    if (shown.length === 0) assert.deepEqual(actual, [], at);
    for (const [index, entry] of shown.entries()) compareJson(entry, actual[index], `${at}[${index}]`);
  } else if (shown !== null && typeof shown === 'object') {
    assert.ok(actual !== null && typeof actual === 'object', `${at} is ${JSON.stringify(actual)}`);
    for (const [key, value] of Object.entries(shown)) {
      assert.ok(Object.hasOwn(actual, key), `${at}.${key} is missing in ${JSON.stringify(actual)}`);
      if (volatileNumbers.has(key)) assert.equal(typeof actual[key], typeof value, `${at}.${key}`);
      else compareJson(value, actual[key], `${at}.${key}`);
    }
  } else if (typeof shown === 'string') assert.equal(withoutIds(String(actual)), withoutIds(shown), at);
  else assert.equal(actual, shown, at);
}

/** Ids, keys and times differ from run to run. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/tuk_\S*/g, '<key>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/(?<![\w-])[\w-]{21}(?![\w-])/g, '<id>');
}

/** The shown lines of a response's head must be among the printed ones, in this order. Numbers in headers differ. */
function compareHead(shown: string, printed: string): void {
  const lines = linesOf(printed);
  let from = 0;
  for (const line of linesOf(shown)) {
    const found = lines.indexOf(line, from);
    assert.ok(found >= 0, `${line} is not in\n${printed}`);
    from = found + 1;
  }
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  return lines.map((line) => (line.startsWith('HTTP/') ? line : line.replaceAll(/\d+/g, 'N')));
}
