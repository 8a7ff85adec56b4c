import { type FileHandle, open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { BackupError } from '../backup-error.ts';
import { blockBytes, decodeTarHeader, paddedBytes } from './tar-header.ts';
import { type TextMeasure, TextMeter } from './text-meter.ts';

const readBytes = 256 * 1024;
/** The largest member that `readText` returns. */
const longestText = 64 * 1024 * 1024;

interface Member {
  readonly start: number;
  readonly bytes: number;
}

export class ArchiveReader {
  readonly #handle: FileHandle;
  readonly #members: ReadonlyMap<string, Member>;

  private constructor(handle: FileHandle, members: ReadonlyMap<string, Member>) {
    this.#handle = handle;
    this.#members = members;
  }

  /** Opens an archive and finds its members. @throws BackupError when the file is missing, truncated or no archive */
  static async open(file: string): Promise<ArchiveReader> {
    const handle = await open(file, 'r').catch((error: Error) => {
      throw new BackupError(`${file} cannot be read: ${error.message}`);
    });
    try {
      return new ArchiveReader(handle, await findMembers(handle));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get names(): readonly string[] {
    return [...this.#members.keys()];
  }

  async readText(name: string): Promise<string> {
    const member = this.#memberOf(name);
    if (member.bytes > longestText) throw new BackupError(`it is damaged: ${name} is too long`);
    return Buffer.concat(await Array.fromAsync(this.#chunksOf(member))).toString('utf8');
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
    const content = Readable.from(this.#chunksOf(this.#memberOf(name)), { objectMode: false });
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

  async *#chunksOf({ start, bytes }: Member): AsyncGenerator<Buffer> {
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
    members.set(entry.name, { start: at + blockBytes, bytes: entry.bytes });
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
