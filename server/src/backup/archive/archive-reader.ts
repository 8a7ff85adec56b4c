import { type FileHandle, open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { BackupError } from '../backup-error.ts';
import { encryptedSuffix, nonceBytes, opened, tagBytes } from './member-cipher.ts';
import { blockBytes, decodeTarHeader, paddedBytes } from './tar-header.ts';
import { type TextMeasure, TextMeter } from './text-meter.ts';

const readBytes = 256 * 1024;
/** The largest member that `readText` returns. */
const longestText = 64 * 1024 * 1024;

interface Member {
  readonly start: number;
  readonly bytes: number;
  readonly isEncrypted: boolean;
}

export class ArchiveReader {
  readonly #handle: FileHandle;
  readonly #members: ReadonlyMap<string, Member>;
  #key: Buffer | null = null;

  private constructor(handle: FileHandle, members: ReadonlyMap<string, Member>) {
    this.#handle = handle;
    this.#members = members;
  }

  /**
   * Opens an archive and finds its members.
   * @param keys of which one opens it, if it is encrypted
   * @throws BackupError when the file is missing, truncated or no archive, or no key opens it
   */
  static async open(file: string, keys: readonly Buffer[] = []): Promise<ArchiveReader> {
    const handle = await open(file, 'r').catch((error: Error) => {
      throw new BackupError(`${file} cannot be read: ${error.message}`);
    });
    try {
      const reader = new ArchiveReader(handle, await findMembers(handle));
      reader.#key = await reader.#findKey(keys);
      return reader;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get names(): readonly string[] {
    return [...this.#members.keys()];
  }

  async readText(name: string): Promise<string> {
    if (this.#memberOf(name).bytes > longestText) throw new BackupError(`it is damaged: ${name} is too long`);
    return Buffer.concat(await Array.fromAsync(this.#contentOf(name, this.#key))).toString('utf8');
  }

  /**
   * Streams the decompressed content of a member into `target`, and returns its measure.
   * @throws BackupError when the content is damaged, what `target` throws, or the reason of `signal`
   */
  async copyTo(name: string, target: Writable, signal: AbortSignal): Promise<TextMeasure> {
    const meter = new TextMeter();
    const decompress = createZstdDecompress();
    let damage: Error | undefined;
    decompress.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code?.startsWith('ZSTD_') === true) damage = error;
    });
    const content = Readable.from(this.#contentOf(name, this.#key), { objectMode: false });
    try {
      await pipeline(content, decompress, meter, target, { signal });
    } catch (error) {
      throw damage === undefined ? error : new BackupError(`it is damaged: ${name}: ${damage.message}`);
    }
    return meter.measure();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #memberOf(name: string): Member {
    const member = this.#members.get(name);
    if (member === undefined) throw new BackupError(`it is damaged: ${name} is missing`);
    return member;
  }

  /** Returns the key that opens the smallest encrypted member; null if there is none. */
  async #findKey(keys: readonly Buffer[]): Promise<Buffer | null> {
    const [smallest] = [...this.#members]
      .filter(([, { isEncrypted }]) => isEncrypted)
      .sort(([, a], [, b]) => a.bytes - b.bytes);
    if (smallest === undefined) return null;
    if (keys.length === 0) throw new BackupError('it is encrypted: set BRANDPORT_BACKUP_KEY_FILE');
    for (const key of keys) if (await this.#isOpenedBy(key, smallest[0])) return key;
    throw new BackupError('none of the keys in BRANDPORT_BACKUP_KEY_FILE opens it');
  }

  async #isOpenedBy(key: Buffer, name: string): Promise<boolean> {
    try {
      for await (const _chunk of this.#contentOf(name, key));
      return true;
    } catch (error) {
      if (error instanceof BackupError) return false;
      throw error;
    }
  }

  async *#contentOf(name: string, key: Buffer | null): AsyncGenerator<Buffer> {
    const { start, bytes, isEncrypted } = this.#memberOf(name);
    if (key === null || !isEncrypted) return yield* this.#chunksOf(start, bytes);
    const [nonce, tag] = [Buffer.alloc(nonceBytes), Buffer.alloc(tagBytes)];
    await readFully(this.#handle, nonce, start);
    await readFully(this.#handle, tag, start + bytes - tagBytes);
    const ciphertext = this.#chunksOf(start + nonceBytes, bytes - nonceBytes - tagBytes);
    yield* opened(key, { name, nonce, tag, ciphertext });
  }

  async *#chunksOf(start: number, bytes: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes; at += readBytes) {
      const chunk = Buffer.alloc(Math.min(readBytes, bytes - at));
      await readFully(this.#handle, chunk, start + at);
      yield chunk;
    }
  }
}

/** Walks over the headers; an archive ends with two empty blocks. */
async function findMembers(handle: FileHandle): Promise<Map<string, Member>> {
  const { size } = await handle.stat();
  const members = new Map<string, Member>();
  const block = Buffer.alloc(blockBytes);
  for (let at = 0; ; ) {
    if (at + blockBytes > size) throw new BackupError(at === 0 ? 'it is not a backup' : 'it is truncated');
    await readFully(handle, block, at);
    if (block.every((byte) => byte === 0)) {
      if (at + 2 * blockBytes > size) throw new BackupError('it is truncated');
      return members;
    }
    const entry = decodeTarHeader(block);
    if (entry === null) throw new BackupError(at === 0 ? 'it is not a backup' : 'it is damaged');
    const isEncrypted = entry.name.endsWith(encryptedSuffix);
    const name = isEncrypted ? entry.name.slice(0, -encryptedSuffix.length) : entry.name;
    members.set(name, { start: at + blockBytes, bytes: entry.bytes, isEncrypted });
    at += blockBytes + paddedBytes(entry.bytes);
  }
}

/** @throws BackupError when the file ends before the buffer is full */
async function readFully(handle: FileHandle, buffer: Buffer, position: number): Promise<void> {
  for (let done = 0; done < buffer.length; ) {
    const { bytesRead } = await handle.read(buffer, done, buffer.length - done, position + done);
    if (bytesRead === 0) throw new BackupError('it is truncated');
    done += bytesRead;
  }
}
