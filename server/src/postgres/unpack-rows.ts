/** The shape of a packed row: its values are the separated ones, then the texts, then the JSON. */
export interface RowShape {
  /** For each separated value, whether it is a string; the others are numbers. */
  readonly isText: readonly boolean[];
  /** The numbers of texts and of JSON values. */
  readonly texts: number;
  readonly json: number;
  /** The positions of the booleans, which are packed as 0 and 1. */
  readonly booleans: readonly number[];
  /** The positions of the dates, which are packed as days since 1970-01-01. */
  readonly dates: readonly number[];
}

const dayMs = 86_400_000;
const comma = 0x2c;
const zero = 0x30;
const nine = 0x39;
const surrogates = /[\ud800-\udfff]/;

/** Reads packed rows (`packed-rows.ts`) in one pass. */
export function unpackRows(text: string, { isText, texts, json, booleans, dates }: RowShape): unknown[][] {
  const endOf = surrogates.test(text) ? endOfCharacters : endOfUnits;
  const rows: unknown[][] = [];
  const lengths: (number | null)[] = [];
  const days = new Map<unknown, string>();
  let position = 0;
  while (position < text.length) {
    const row: unknown[] = [];
    for (const isString of isText) row.push(isString ? nextString() : nextNumber());
    for (const boolean of booleans) row[boolean] = row[boolean] === 1;
    for (const date of dates) row[date] = dateOf(row[date] as number);
    for (let i = 0; i < texts; i += 1) lengths[i] = nextNumber();
    for (let i = 0; i < texts; i += 1) {
      const length = lengths[i] ?? null;
      row.push(length === null ? null : nextSlice(endOf(text, position, length)));
    }
    for (let i = 0; i < json; i += 1) {
      row.push(JSON.parse(nextSlice(text.indexOf('\n', position))));
      position += 1;
    }
    rows.push(row);
  }
  return rows;

  /** The rows of a page have few days. */
  function dateOf(day: number): string {
    const known = days.get(day) ?? new Date(day * dayMs).toISOString().slice(0, 10);
    days.set(day, known);
    return known;
  }

  function nextSlice(end: number): string {
    const slice = text.slice(position, end);
    position = end;
    return slice;
  }

  function nextString(): string | null {
    const slice = nextSlice(text.indexOf(',', position));
    position += 1;
    return slice === '' ? null : slice;
  }

  /** Integers, nearly all numbers, are accumulated digit by digit. */
  function nextNumber(): number | null {
    let integer = 0;
    for (let i = position; ; i += 1) {
      const code = text.charCodeAt(i);
      if (code >= zero && code <= nine) {
        integer = integer * 10 + (code - zero);
        continue;
      }
      if (code !== comma || i === position) break;
      position = i + 1;
      return integer;
    }
    const slice = nextString();
    return slice === null ? null : Number(slice);
  }
}

function endOfUnits(_text: string, start: number, length: number): number {
  return start + length;
}

/** PostgreSQL counts characters, JavaScript counts UTF-16 code units: two for a character beyond U+FFFF. */
function endOfCharacters(text: string, start: number, length: number): number {
  let end = start;
  for (let n = 0; n < length; n += 1) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return end;
}
