/** Characters of JSON above which a response is made in pieces. */
const largeText = 1024 * 1024;
/** Above so many, it waits for a turn: some milliseconds of the thread, with what sends it. */
const mediumText = 128 * 1024;
/** Values of about this size, in characters, are made at once: some 0.3 ms. */
const smallValue = 64 * 1024;
/** Milliseconds of the thread between two pauses. */
const stretchMs = 8;

/**
 * Returns what `JSON.stringify` returns for plain data. More than about 128 KiB waits for `pause` first, and more than 1 MiB is
 * made in pieces with pauses in between, so that other requests do not wait for it [platform-97] [D292].
 */
export async function jsonText(value: object, pause: () => Promise<void>): Promise<string> {
  const left = remaining(value, largeText);
  if (left > 0) {
    if (left <= largeText - mediumText) await pause();
    return JSON.stringify(value);
  }
  const writer = new PieceWriter(pause);
  await writer.write(value);
  await pause();
  return writer.parts.join('');
}

/** Returns what is left of a number of characters once a value is written, at most; it stops when nothing is left. */
function remaining(value: unknown, characters: number): number {
  if (typeof value === 'string') return characters - value.length - 3;
  if (typeof value !== 'object' || value === null) return characters - 6;
  let left = characters - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left > 0; index += 1) left = remaining(value[index], left);
    return left;
  }
  for (const key in value) {
    if (left <= 0) break;
    left = remaining((value as Record<string, unknown>)[key], left - key.length - 4);
  }
  return left;
}

class PieceWriter {
  readonly parts: string[] = [];
  readonly #pause: () => Promise<void>;
  #since = performance.now();

  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  async write(value: object): Promise<void> {
    const isArray = Array.isArray(value);
    let before = isArray ? '[' : '{';
    for (const key of Object.keys(value)) {
      const part = (value as Record<string, unknown>)[key];
      if (!isArray && part === undefined) continue;
      const name = isArray ? '' : `${JSON.stringify(key)}:`;
      if (typeof part === 'object' && part !== null && remaining(part, smallValue) <= 0) {
        this.parts.push(before + name);
        await this.write(part);
      } else this.parts.push(before + name + (JSON.stringify(part) ?? 'null'));
      before = ',';
      if (performance.now() - this.#since > stretchMs) {
        await this.#pause();
        this.#since = performance.now();
      }
    }
    const [open, close] = isArray ? '[]' : '{}';
    this.parts.push(before === ',' ? (close as string) : `${open}${close}`);
  }
}
