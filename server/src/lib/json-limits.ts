/** What decides about the memory and time that parsing a JSON text takes. */
export interface JsonLimits {
  /** Objects, arrays, and what they hold. */
  readonly values: number;
  /** Objects and arrays within each other. */
  readonly depth: number;
  /** Fields of one object. */
  readonly fields: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Whether a text keeps to the limits; looked at before it is parsed. A few million brackets fit into a body of some
 * MiB and make a heap of many times its size, and a thread that runs out of memory takes the process with it; an object
 * of a million fields keeps a core busy for many seconds. An empty object or array counts as if it held one value. What
 * is not JSON may do as it likes: parsing refuses it. Takes some 5 ms for each MiB.
 */
export function keepsJsonLimits(text: Uint8Array, limits: JsonLimits): boolean {
  let values = 1;
  let depth = 0;
  let isInString = false;
  /** Of the object or array that is open at each depth. */
  const commas = [0];
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index];
    if (isInString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === comma) {
      values += 1;
      commas[depth] = (commas[depth] ?? 0) + 1;
    } else if (byte === openBracket || byte === openBrace) {
      values += 1;
      depth += 1;
      commas[depth] = 0;
      if (depth > limits.depth) return false;
    } else if (byte === closeBracket || byte === closeBrace) {
      if (byte === closeBrace && (commas[depth] ?? 0) >= limits.fields) return false;
      depth = Math.max(0, depth - 1);
    }
    if (values > limits.values) return false;
  }
  return true;
}
