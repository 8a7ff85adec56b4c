import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { randomHex } from '../../lib/ids.ts';
import { BackupError } from '../backup-error.ts';
import { blockBytes, encodeTarHeader, paddedBytes } from './tar-header.ts';
import { type TextMeasure, TextMeter } from './text-meter.ts';

/** File systems without hard links. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Writes an archive to a temporary name; it appears complete or not at all, readable by its owner only. */
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
   * Adds a member with the compressed content of `source`, in bounded memory. Returns the measure of what `source` yielded.
   * @throws what `source` throws, the reason of `signal`, or the error of the disk
   */
  async addCompressed(name: string, source: Readable, signal: AbortSignal): Promise<TextMeasure> {
    const meter = new TextMeter();
    const headerAt = this.#beginMember();
    await pipeline(source, meter, createZstdCompress(), this.#sink(), { signal });
    await this.#endMember(name, headerAt);
    return meter.measure();
  }

  async addText(name: string, text: string): Promise<void> {
    const headerAt = this.#beginMember();
    await this.#append(Buffer.from(text));
    await this.#endMember(name, headerAt);
  }

  /** Ends the archive, flushes it to the disk and gives it its name. @throws BackupError when the name was taken meanwhile */
  async finish(): Promise<number> {
    await this.#append(Buffer.alloc(2 * blockBytes));
    await this.#handle.sync();
    await this.#handle.close();
    await this.#publish();
    await rm(this.#draft, { force: true });
    const folder = await open(dirname(this.#path), 'r');
    await folder.sync().finally(() => folder.close());
    return this.#position;
  }

  /** Removes what was written. Does nothing after `finish`. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#draft, { force: true });
  }

  async #publish(): Promise<void> {
    try {
      await link(this.#draft, this.#path);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' || (await exists(this.#path)))
        throw new BackupError(`${basename(this.#path)} was created by someone else, and is not overwritten.`);
      if (!noLinks.has(code)) throw error;
      await rename(this.#draft, this.#path);
    }
  }

  /** Leaves room for the header, and returns its place. */
  #beginMember(): number {
    const headerAt = this.#position;
    this.#position += blockBytes;
    return headerAt;
  }

  /** Writes the header of the member that began at `headerAt`, and the padding after it. */
  async #endMember(name: string, headerAt: number): Promise<void> {
    const bytes = this.#position - headerAt - blockBytes;
    await this.#append(Buffer.alloc(paddedBytes(bytes) - bytes));
    await this.#handle.write(encodeTarHeader({ name, bytes }), 0, blockBytes, headerAt);
  }

  #sink(): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#append(chunk).then(() => done(), done);
      },
    });
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
