import { jsonFault } from './json-fault.ts';

/** The value, or what the bytes must be, as in "must be UTF-8". */
export type ParsedJson = { readonly value: unknown } | { readonly problem: string };

/** Limits that are checked before the parsing: they bound the memory that JSON.parse needs outside of the heap. */
export interface JsonLimits {
  /** Commas, objects and arrays. */
  readonly values?: number;
  readonly levels: number;
}

/** The search for a fault takes up to 70 ms a mebibyte. Bodies with limits are parsed in a thread when they are large. */
const searchedBytes = 512 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses UTF-8 with or without a byte order mark (RFC 8259, 8.1). Never throws. */
export function parseJson(bytes: Uint8Array, limits: JsonLimits | null = null): ParsedJson {
  if (limits !== null && !isWithin(bytes, limits)) return { problem: `must have at most ${asText(limits)}` };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { problem: 'must be UTF-8' };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    const fault = limits !== null || bytes.length <= searchedBytes ? jsonFault(text) : null;
    return { problem: fault === null ? 'must be JSON' : `must be JSON: ${fault}` };
  }
}

function asText({ values, levels }: JsonLimits): string {
  return values === undefined ? `${levels} levels` : `${values} values and ${levels} levels`;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Counts brackets and commas outside of strings; of what is not JSON, any count is right. */
function isWithin(bytes: Uint8Array, { values = Number.POSITIVE_INFINITY, levels }: JsonLimits): boolean {
  let depth = 0;
  let count = 1;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index);
    else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      count += 1;
      if (depth > levels) return false;
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    else if (byte === comma) count += 1;
  }
  return count <= values;
}

/** Returns the index of the quote that ends the string, or of the last byte. */
function endOfString(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(quote, start + 1);
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(quote, end + 1);
  return end === -1 ? bytes.length : end;
}

function isEscaped(bytes: Uint8Array, index: number): boolean {
  let backslashes = 0;
  while (bytes[index - 1 - backslashes] === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}
