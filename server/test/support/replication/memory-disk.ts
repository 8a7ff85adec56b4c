import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';

const size = '2g';

/** A disk in memory that can be filled; only root may mount it. */
export class MemoryDisk {
  readonly #dir: string;

  private constructor(dir: string) {
    this.#dir = dir;
  }

  /** Mounts a disk of 2 GiB over a directory, which belongs to the owner and only it may enter. */
  static mount(dir: string, { uid, gid }: { readonly uid: number; readonly gid: number }): MemoryDisk {
    const options = `size=${size},mode=0700,uid=${uid},gid=${gid}`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'brandport-test', dir]);
    return new MemoryDisk(dir);
  }

  /** Leaves no free block. */
  fill(): void {
    const { blocks, bfree, bsize } = statfsSync(this.#dir);
    this.#resize(`${(blocks - bfree) * bsize}`);
  }

  free(): void {
    this.#resize(size);
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.#dir]);
  }

  #resize(to: string): void {
    execFileSync('mount', ['-o', `remount,size=${to}`, this.#dir]);
  }
}
