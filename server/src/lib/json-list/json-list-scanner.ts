import { ItemGroups } from './item-groups.ts';
import {
  Byte,
  endsNumber,
  isEscape,
  isHexDigit,
  isSpace,
  literals,
  nextNumberState,
  State,
  scalarState,
} from './json-grammar.ts';
import { NestingStack } from './nesting-stack.ts';
import { Utf8Check } from './utf8-check.ts';

export interface JsonLimits {
  /** Objects, arrays, and what they hold. */
  readonly values: number;
  readonly depth: number;
  readonly fields: number;
}

export interface ScannedMember {
  readonly start: number;
  /** After the last byte. */
  readonly end: number;
  /** null: the value is no array. */
  readonly items: ItemGroups | null;
}

export type ScanProblem = 'utf8' | 'json' | 'object' | 'limits';

export interface ListScannerOptions {
  /** The members of the outermost object to find. */
  readonly names: readonly string[];
  /** Number of names of other members to keep; default none. */
  readonly otherNames?: number;
  /** Absent if items are checked one by one. */
  readonly limits?: JsonLimits;
}

/** Longer keys match no name; they are kept up to this length. */
const maxKeyBytes = 1_024;
/** An escape that is truncated at the end of a kept key. */
const cutEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/;

/**
 * Scans a JSON document of any size block by block, in constant memory: validates its complete syntax, and finds some members of
 * the outermost object and the items of those that are arrays. Accepts and refuses the same input as JSON.parse. Of a repeated
 * name, the last one counts. Takes some 10 ms per MiB.
 */
export class JsonListScanner {
  readonly #names: ReadonlySet<string>;
  readonly #limits: JsonLimits | null;
  readonly #others = new Set<string>();
  readonly #maxOthers: number;
  readonly #utf8 = new Utf8Check();
  readonly #nesting: NestingStack;
  readonly #members = new Map<string, ScannedMember>();
  #problem: ScanProblem | null = null;
  #isObject = false;
  #state: number = State.value;
  /** Offset of the first byte of the block. */
  #offset = 0;
  #isKey = false;
  #hexDigits = 0;
  #literal: Uint8Array = new Uint8Array(0);
  #literalAt = 0;
  #keyBytes: number[] = [];
  #name: string | null = null;
  #memberStart = 0;
  #items: ItemGroups | null = null;
  #values = 0;

  constructor({ names, limits, otherNames = 0 }: ListScannerOptions) {
    this.#names = new Set(names);
    this.#maxOthers = otherNames;
    this.#limits = limits ?? null;
    this.#nesting = new NestingStack(limits?.fields ?? null);
  }

  /** Scans the next block. Returns false on an error; the rest is then ignored. */
  write(block: Uint8Array): boolean {
    if (this.#problem !== null) return false;
    if (!this.#utf8.write(block)) this.#problem = 'utf8';
    else if (!this.#scan(block)) this.#problem ??= 'json';
    this.#offset += block.length;
    return this.#problem === null;
  }

  end(): ReadonlyMap<string, ScannedMember> | ScanProblem {
    if (this.#problem !== null) return this.#problem;
    if (!this.#utf8.end()) return 'utf8';
    const isWhole =
      this.#nesting.depth === 0 && (this.#state === State.afterValue || endsNumber(this.#state));
    if (!isWhole) return 'json';
    return this.#isObject ? this.#members : 'object';
  }

  /** The names of the first other members, without duplicates; long ones are cut. */
  get otherNames(): readonly string[] {
    return [...this.#others];
  }

  #scan(block: Uint8Array): boolean {
    let index = 0;
    while (index < block.length) {
      const byte = block[index] as number;
      switch (this.#state) {
        case State.string: {
          const end = this.#skipString(block, index);
          if (end === -1) return false;
          index = end;
          continue;
        }
        case State.escape:
          if (byte === 0x75) {
            this.#state = State.hex;
            this.#hexDigits = 0;
          } else if (isEscape(byte)) this.#state = State.string;
          else return false;
          this.#keepKey(byte);
          break;
        case State.hex:
          if (!isHexDigit(byte)) return false;
          this.#keepKey(byte);
          this.#hexDigits += 1;
          if (this.#hexDigits === 4) this.#state = State.string;
          break;
        case State.literal:
          if (byte !== this.#literal[this.#literalAt]) return false;
          this.#literalAt += 1;
          if (this.#literalAt === this.#literal.length) this.#endValue(index + 1);
          break;
        case State.value:
        case State.valueOrEnd:
          if (isSpace(byte)) break;
          if (byte === Byte.closeBracket && this.#state === State.valueOrEnd) {
            this.#close(index);
            break;
          }
          if (!this.#beginValue(byte, index)) return false;
          break;
        case State.key:
        case State.keyOrEnd:
          if (isSpace(byte)) break;
          if (byte === Byte.closeBrace && this.#state === State.keyOrEnd) this.#close(index);
          else if (byte === Byte.quote) {
            this.#isKey = true;
            this.#keyBytes = [];
            this.#state = State.string;
          } else return false;
          break;
        case State.colon:
          if (isSpace(byte)) break;
          if (byte !== Byte.colon) return false;
          this.#state = State.value;
          break;
        case State.afterValue:
          if (isSpace(byte)) break;
          if (!this.#continue(byte, index)) return false;
          break;
        default: {
          const next = nextNumberState(this.#state, byte);
          if (next === null) return false;
          if (next === State.afterValue) {
            this.#endValue(index);
            // The byte belongs to the token after the number.
            continue;
          }
          this.#state = next;
        }
      }
      index += 1;
    }
    return true;
  }

  /** Continues inside a string: returns the index after its part in this block, or -1 if it is malformed. */
  #skipString(block: Uint8Array, start: number): number {
    const keepsKey = this.#isKey && this.#nesting.depth === 1;
    for (let index = start; index < block.length; index += 1) {
      const byte = block[index] as number;
      if (byte === Byte.quote) {
        if (this.#isKey) this.#endKey();
        else this.#endValue(index + 1);
        return index + 1;
      }
      if (byte < 0x20) return -1;
      if (keepsKey) this.#keepKey(byte);
      if (byte === Byte.backslash) {
        this.#state = State.escape;
        return index + 1;
      }
    }
    return block.length;
  }

  #keepKey(byte: number): void {
    if (this.#isKey && this.#nesting.depth === 1 && this.#keyBytes.length <= maxKeyBytes)
      this.#keyBytes.push(byte);
  }

  #endKey(): void {
    this.#isKey = false;
    this.#state = State.colon;
    if (this.#nesting.depth !== 1) return;
    const isLong = this.#keyBytes.length > maxKeyBytes;
    const sent = Buffer.from(this.#keyBytes).toString();
    const name = JSON.parse(`"${isLong ? withoutCutEscape(sent) : sent}"`) as string;
    this.#name = !isLong && this.#names.has(name) ? name : null;
    if (this.#name === null && this.#others.size < this.#maxOthers) this.#others.add(name);
  }

  #beginValue(byte: number, index: number): boolean {
    const { depth } = this.#nesting;
    if (depth === 1 && this.#isObject) {
      this.#memberStart = this.#offset + index;
      this.#items = this.#name !== null && byte === Byte.openBracket ? new ItemGroups() : null;
    } else if (depth === 2) this.#items?.begin(this.#offset + index);
    if (byte === Byte.openBrace || byte === Byte.openBracket) return this.#open(byte === Byte.openBrace);
    if (byte === Byte.quote) {
      this.#state = State.string;
      return true;
    }
    const state = scalarState(byte);
    if (state === null) return false;
    this.#state = state;
    if (state === State.literal) {
      this.#literal = literals[byte] as Uint8Array;
      this.#literalAt = 0;
    }
    return true;
  }

  #open(isObject: boolean): boolean {
    if (this.#nesting.depth === 0) this.#isObject = isObject;
    this.#nesting.push(isObject);
    this.#state = isObject ? State.keyOrEnd : State.valueOrEnd;
    return this.#countValue();
  }

  /** After a value: a comma, or the end of what holds it. */
  #continue(byte: number, index: number): boolean {
    if (this.#nesting.depth === 0) return false;
    const { isObject } = this.#nesting;
    if (byte === Byte.comma) {
      this.#state = isObject ? State.key : State.value;
      if (!this.#nesting.countComma()) {
        this.#problem = 'limits';
        return false;
      }
      return this.#countValue();
    }
    if (byte !== (isObject ? Byte.closeBrace : Byte.closeBracket)) return false;
    this.#close(index);
    return true;
  }

  #close(index: number): void {
    this.#nesting.pop();
    this.#endValue(index + 1);
  }

  /** `end`: the index in the block after the last byte of the value. */
  #endValue(end: number): void {
    this.#state = State.afterValue;
    const { depth } = this.#nesting;
    if (depth === 2) this.#items?.end(this.#offset + end);
    else if (depth === 1 && this.#isObject && this.#name !== null) {
      this.#items?.finish();
      const member = { start: this.#memberStart, end: this.#offset + end, items: this.#items };
      this.#members.set(this.#name, member);
      this.#name = null;
      this.#items = null;
    }
  }

  #countValue(): boolean {
    this.#values += 1;
    if (this.#limits === null) return true;
    const keeps = this.#values <= this.#limits.values && this.#nesting.depth <= this.#limits.depth;
    if (!keeps) this.#problem = 'limits';
    return keeps;
  }
}

/** An even number of backslashes at the end are complete escapes. */
function withoutCutEscape(text: string): string {
  const cut = cutEscape.exec(text);
  if (cut === null) return text;
  const before = text.slice(0, cut.index);
  const backslashes = before.length - before.replace(/\\+$/, '').length;
  return backslashes % 2 === 0 ? before : text;
}
