import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { randomHex } from '../lib/ids.ts';

/** A backup or restore that cannot be done; the message tells the operator why and what to do. */
export class BackupError extends Error {}

/** The unit of a tar archive: headers and contents fill whole blocks. */
export const blockBytes = 512;
const readBytes = 256 * 1024;
/** The largest member that `readText` returns. */
const longestText = 64 * 1024 * 1024;

/** Writes a tar archive under a temporary name; it appears complete or not at all, readable by its owner only. */
export class ArchiveWriter {
  readonly #path: string;
  readonly #draft: string;
  readonly #handle: FileHandle;
  #position = 0;

  private constructor(path: string, draft: string, handle: FileHandle) {
    this.#path = path;
    this.#draft = draft;
    this.#handle = handle;
  }

  /** @throws BackupError when the file exists or its folder cannot be written */
  static async create(file: string): Promise<ArchiveWriter> {
    const path = resolve(file);
    if (await exists(path)) throw new BackupError(`${path} exists, and is not overwritten.`);
    const draft = `${path}.${randomHex(8)}.partial`;
    try {
      return new ArchiveWriter(path, draft, await open(draft, 'wx', 0o600));
    } catch (error) {
      throw new BackupError(`${path} cannot be created: ${(error as Error).message}`);
    }
  }

  /**
   * Adds a member with the content of `source`, compressed, with a checksum, in bounded memory.
   * @throws what `source` throws, the reason of `signal`, or the error of the disk
   */
  async addCompressed(name: string, source: Readable, signal: AbortSignal): Promise<void> {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#append(chunk).then(() => done(), done);
      },
    });
    await this.#addMember(name, () => pipeline(source, compress, sink, { signal }));
  }

  async addText(name: string, text: string): Promise<void> {
    await this.#addMember(name, () => this.#append(Buffer.from(text)));
  }

  /** Ends the archive, flushes it to the disk and gives it its name. Returns its size. */
  async finish(): Promise<number> {
    await this.#append(Buffer.alloc(2 * blockBytes));
    await this.#handle.sync();
    await this.#handle.close();
    if (await exists(this.#path))
      throw new BackupError(`${this.#path} was created by someone else, and is not overwritten.`);
    await rename(this.#draft, this.#path);
    const folder = await open(dirname(this.#path), 'r');
    await folder.sync().finally(() => folder.close());
    return this.#position;
  }

  /** Removes what was written. Does nothing after `finish`. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#draft, { force: true });
  }

  /** Leaves room for the header, whose size is known after the content. */
  async #addMember(name: string, writeContent: () => Promise<void>): Promise<void> {
    if (name.length > 100) throw new BackupError(`The name ${name} is too long.`);
    const headerAt = this.#position;
    this.#position += blockBytes;
    await writeContent();
    const bytes = this.#position - headerAt - blockBytes;
    await this.#append(Buffer.alloc(paddedBytes(bytes) - bytes));
    await this.#handle.write(encodeTarHeader({ name, bytes }), 0, blockBytes, headerAt);
  }

  async #append(chunk: Buffer): Promise<void> {
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await this.#handle.write(chunk, done, chunk.length - done, this.#position);
      done += bytesWritten;
      this.#position += bytesWritten;
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}

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

  has(name: string): boolean {
    return this.#members.has(name);
  }

  async readText(name: string): Promise<string> {
    const member = this.#memberOf(name);
    if (member.bytes > longestText) throw new BackupError(`it is damaged: ${name} is too long`);
    return Buffer.concat(await Array.fromAsync(this.#chunksOf(member))).toString('utf8');
  }

  /**
   * Streams the decompressed content of a member into `target`.
   * @throws BackupError when the content does not match its checksum, what `target` throws, or the reason of `signal`
   */
  async copyTo(name: string, target: Writable, signal: AbortSignal): Promise<void> {
    const decompress = createZstdDecompress();
    let damage: Error | undefined;
    decompress.once('error', (error: NodeJS.ErrnoException) => {
      if (/^Z(STD)?_/.test(error.code ?? '')) damage = error;
    });
    const content = Readable.from(this.#chunksOf(this.#memberOf(name)), { objectMode: false });
    try {
      await pipeline(content, decompress, target, { signal });
    } catch (error) {
      throw damage === undefined ? error : new BackupError(`it is damaged: ${name}: ${damage.message}`);
    }
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

interface TarEntry {
  /** At most 100 ASCII characters. */
  readonly name: string;
  readonly bytes: number;
}

/** The largest size that eleven octal digits hold; larger ones are written in base 256, as GNU tar does. */
const largestOctal = 8 ** 11 - 1;

export function encodeTarHeader({ name, bytes }: TarEntry): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0, 100, 'ascii');
  block.write('0000600\0', 100, 'ascii');
  block.write('0000000\0', 108, 'ascii');
  block.write('0000000\0', 116, 'ascii');
  if (bytes <= largestOctal) block.write(`${octal(bytes, 11)}\0`, 124, 'ascii');
  else {
    block.writeUInt8(0x80, 124);
    block.writeBigUInt64BE(BigInt(bytes), 128);
  }
  block.write(`${octal(0, 11)}\0`, 136, 'ascii');
  block.write('0', 156, 'ascii');
  block.write('ustar\x0000', 257, 'ascii');
  block.write(`${octal(computeChecksum(block), 6)}\0 `, 148, 'ascii');
  return block;
}

/** Decodes a header; null if the block is none or its checksum is wrong. */
export function decodeTarHeader(block: Buffer): TarEntry | null {
  const checksum = Number.parseInt(textAt(block, 148, 8), 8);
  if (checksum !== computeChecksum(block) || textAt(block, 257, 6) !== 'ustar') return null;
  const bytes =
    block.readUInt8(124) === 0x80
      ? Number(block.readBigUInt64BE(128))
      : Number.parseInt(textAt(block, 124, 12), 8);
  return Number.isSafeInteger(bytes) ? { name: textAt(block, 0, 100), bytes } : null;
}

/** The size of contents with the padding that fills their last block. */
function paddedBytes(bytes: number): number {
  return Math.ceil(bytes / blockBytes) * blockBytes;
}

/** The sum of the block's bytes, with spaces instead of the checksum. */
function computeChecksum(block: Buffer): number {
  let sum = 0;
  for (const [index, byte] of block.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte;
  return sum;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function textAt(block: Buffer, start: number, length: number): string {
  const text = block.toString('latin1', start, start + length);
  const end = text.indexOf('\0');
  return (end === -1 ? text : text.slice(0, end)).trim();
}
