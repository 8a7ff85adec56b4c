/** Characters of a piece: the densest JSON of this length takes some 3 ms. */
const pieceLength = 32 * 1024;
/** Milliseconds of the thread between two pauses. */
const stretchMs = 8;
/** Steps without a piece, such as closing brackets, between two looks at the clock. */
const stepsPerLook = 256;

const [space, quote, backslash, comma, colon] = [0x20, 0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
const notWhite = /[^ \t\n\r]/g;

/** An array or object whose end has not been reached. */
interface Frame {
  readonly value: unknown;
  readonly close: number;
}

/** The end of a piece, and the frames that it opens: the closing bracket of each, and its key's place in the one around it. */
interface Piece {
  readonly end: number;
  readonly at: 'opener' | 'comma' | 'close' | 'end';
  readonly closes: readonly number[];
  readonly keyStarts: readonly number[];
  readonly keyEnds: readonly number[];
  /** Its commas, objects and arrays. */
  readonly values: number;
}

/** Lets others run. */
export type Pause = () => Promise<void>;

/** The text has too many values. */
export class TooManyValuesError extends Error {}

/**
 * Parses JSON like `JSON.parse`, in pieces with a pause every few milliseconds [D292]. The text is cut at commas, after opening
 * brackets and at the end of what an earlier piece opened; each piece is completed by brackets and parsed alone, so what is no
 * JSON is refused by `JSON.parse`.
 * @throws SyntaxError, without a place; TooManyValuesError beyond `mostValues`, which are counted as commas and opening brackets
 */
export async function parseInPieces(text: string, pause: Pause, mostValues = Infinity): Promise<unknown> {
  const top: unknown[] = [];
  const frames: Frame[] = [{ value: top, close: closeBracket }];
  let start = 0;
  let isAfterComma = false;
  let values = 1;
  let since = performance.now();
  for (let step = 1; ; step += 1) {
    const frame = frames.at(-1) as Frame;
    const piece = findPiece(text, start, frame.close);
    values += piece.values;
    if (values > mostValues) throw new TooManyValuesError();
    const part = text.slice(start, piece.end);
    const isBlank = afterWhite(text, start) >= piece.end;
    if (isBlank && (isAfterComma || piece.at === 'comma')) throw new SyntaxError('unexpected comma');
    if (!isBlank) addPiece(frames, text, part, piece);
    if (piece.at === 'end') {
      if (frames.length > 1 || top.length !== 1) throw new SyntaxError('unexpected end');
      return top[0];
    }
    start = piece.end + (piece.at === 'opener' ? 0 : 1);
    isAfterComma = piece.at === 'comma';
    if (piece.at === 'close') {
      frames.pop();
      if (frames.length === 0) throw new SyntaxError('unexpected bracket');
      const next = afterWhite(text, start);
      isAfterComma = text.charCodeAt(next) === comma;
      if (isAfterComma) values += 1;
      start = isAfterComma ? next + 1 : next;
      const isClosed = text.charCodeAt(next) === frames.at(-1)?.close && frames.length > 1;
      if (!isAfterComma && !isClosed && next < text.length) throw new SyntaxError('expected a comma');
    }
    if ((!isBlank || step % stepsPerLook === 0) && performance.now() - since > stretchMs) {
      await pause();
      since = performance.now();
    }
  }
}

/** Returns the index of what follows white space. A loop would take thrice the time, which counts for 8 MiB of it. */
function afterWhite(text: string, start: number): number {
  notWhite.lastIndex = start;
  return notWhite.test(text) ? notWhite.lastIndex - 1 : text.length;
}

/** Finds the end of a piece that begins in a frame with this closing bracket. Stacks of objects would take thrice the time. */
function findPiece(text: string, start: number, baseClose: number): Piece {
  const closes: number[] = [];
  // The last string before a colon is the key of what follows, by depth.
  const keyStarts: number[] = [0];
  const keyEnds: number[] = [0];
  const piece = (end: number, at: Piece['at']) => ({ end, at, closes, keyStarts, keyEnds, values });
  let values = 0;
  let stringStart = 0;
  let stringEnd = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      stringStart = at;
      at = endOfString(text, at);
      stringEnd = at + 1;
    } else if (code === colon) {
      keyStarts[closes.length] = stringStart;
      keyEnds[closes.length] = stringEnd;
    } else if (code === openBracket || code === openBrace) {
      values += 1;
      closes.push(code === openBracket ? closeBracket : closeBrace);
      if (at - start >= pieceLength) return piece(at + 1, 'opener');
    } else if (code === closeBracket || code === closeBrace) {
      const expected = closes.length === 0 ? baseClose : closes[closes.length - 1];
      if (code !== expected) throw new SyntaxError('unexpected bracket');
      if (closes.pop() === undefined) return piece(at, 'close');
    } else if (code === comma) {
      values += 1;
      if (at - start >= pieceLength) return piece(at, 'comma');
    } else if (code <= space && text.charCodeAt(at + 1) <= space) at = afterWhite(text, at + 1) - 1;
  }
  if (closes.length > 0) throw new SyntaxError('unexpected end');
  return piece(text.length, 'end');
}

/** Returns the index of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  throw new SyntaxError('unexpected end');
}

/** Parses a piece, adds its values to the innermost frame, and enters the frames that it opens. */
function addPiece(frames: Frame[], text: string, part: string, { closes, keyStarts, keyEnds }: Piece): void {
  const { value: base, close } = frames.at(-1) as Frame;
  const closing = String.fromCharCode(...closes.toReversed(), close);
  const values = JSON.parse(`${close === closeBracket ? '[' : '{'}${part}${closing}`) as object;
  if (Array.isArray(values)) for (const value of values) (base as unknown[]).push(value);
  else for (const [key, value] of Object.entries(values)) setOwn(base as Record<string, unknown>, key, value);
  let around = base;
  for (const [depth, frameClose] of closes.entries()) {
    const value = Array.isArray(around)
      ? around.at(-1)
      : (around as Record<string, unknown>)[
          JSON.parse(text.slice(keyStarts[depth], keyEnds[depth])) as string
        ];
    frames.push({ value, close: frameClose });
    around = value;
  }
}

/** Sets a property as `JSON.parse` does: `__proto__` is a name like any other. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
