/** The scanner's states. The order matters: states from `minus` on are inside a number. */
export const State = {
  value: 0,
  valueOrEnd: 1,
  key: 2,
  keyOrEnd: 3,
  colon: 4,
  afterValue: 5,
  string: 6,
  escape: 7,
  hex: 8,
  literal: 9,
  minus: 10,
  zero: 11,
  integer: 12,
  point: 13,
  fraction: 14,
  exponent: 15,
  exponentSign: 16,
  exponentDigits: 17,
} as const;

export const Byte = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  zero: 0x30,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

const encode = (text: string) => Uint8Array.from(Buffer.from(text));

/** The rest of `true`, `false` and `null`, by the first byte. */
export const literals: Readonly<Record<number, Uint8Array>> = {
  116: encode('rue'),
  102: encode('alse'),
  110: encode('ull'),
};

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

export function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/** Returns whether the byte may follow a backslash: `"`, `\`, `/`, b, f, n, r, t; the caller handles `u`. */
export function isEscape(byte: number): boolean {
  return '"\\/bfnrt'.includes(String.fromCharCode(byte));
}

/** Returns the state after the first byte of a scalar; null if none begins with it. No brackets and strings. */
export function scalarState(byte: number): number | null {
  if (byte === Byte.minus) return State.minus;
  if (byte === Byte.zero) return State.zero;
  if (isDigit(byte)) return State.integer;
  return literals[byte] === undefined ? null : State.literal;
}

/** Returns the next state inside a number; `afterValue` if it ended before this byte; null if it is malformed. */
export function nextNumberState(state: number, byte: number): number | null {
  if (isDigit(byte)) {
    switch (state) {
      case State.minus:
        return byte === Byte.zero ? State.zero : State.integer;
      case State.zero:
        return null;
      case State.point:
        return State.fraction;
      case State.exponent:
      case State.exponentSign:
        return State.exponentDigits;
      default:
        return state;
    }
  }
  const isWhole = state === State.zero || state === State.integer;
  if (byte === 0x2e && isWhole) return State.point;
  if ((byte === 0x65 || byte === 0x45) && (isWhole || state === State.fraction)) return State.exponent;
  if ((byte === 0x2b || byte === Byte.minus) && state === State.exponent) return State.exponentSign;
  return endsNumber(state) ? State.afterValue : null;
}

export function endsNumber(state: number): boolean {
  return (
    state === State.zero ||
    state === State.integer ||
    state === State.fraction ||
    state === State.exponentDigits
  );
}
