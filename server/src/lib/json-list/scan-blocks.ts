import { takeTurn } from '../turns.ts';
import type { JsonListScanner } from './json-list-scanner.ts';

/** Takes some 5 ms at most. */
const sliceBytes = 256 * 1024;

/** Scans a body on the main thread, in slices between which other requests run. */
export async function scanBlocks(scanner: JsonListScanner, blocks: readonly Uint8Array[]): Promise<void> {
  for (const block of blocks)
    for (let start = 0; start < block.length; start += sliceBytes) {
      await takeTurn();
      if (!scanner.write(block.subarray(start, start + sliceBytes))) return;
    }
}
