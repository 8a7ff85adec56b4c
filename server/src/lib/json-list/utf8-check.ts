import { isUtf8 } from 'node:buffer';

export class Utf8Check {
  /** The beginning of a character at the end of the last block. */
  #begun: Uint8Array = new Uint8Array(0);

  /** False as soon as something cannot be UTF-8. */
  write(block: Uint8Array): boolean {
    let start = 0;
    if (this.#begun.length > 0) {
      const missing = characterBytes(this.#begun[0] ?? 0) - this.#begun.length;
      const character = Buffer.concat([this.#begun, block.subarray(0, missing)]);
      if (block.length < missing) {
        this.#begun = character;
        return true;
      }
      if (!isUtf8(character)) return false;
      start = missing;
    }
    const end = Math.max(start, endOfWholeCharacters(block));
    this.#begun = Uint8Array.prototype.slice.call(block, end);
    return isUtf8(block.subarray(start, end));
  }

  end(): boolean {
    return this.#begun.length === 0;
  }
}

function endOfWholeCharacters(block: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, block.length); back += 1) {
    const byte = block[block.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return characterBytes(byte) > back ? block.length - back : block.length;
  }
  return block.length;
}

/** Number of bytes of a character, by its first byte. */
function characterBytes(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
