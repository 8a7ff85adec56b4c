/** The unit of a tar archive: headers and contents fill whole blocks. */
export const blockBytes = 512;

export interface TarEntry {
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
  block.write(`${octal(checksumOf(block), 6)}\0 `, 148, 'ascii');
  return block;
}

/** Decodes a header; null if the block is none or its checksum is wrong. */
export function decodeTarHeader(block: Buffer): TarEntry | null {
  const checksum = Number.parseInt(textAt(block, 148, 8), 8);
  if (checksum !== checksumOf(block) || textAt(block, 257, 6) !== 'ustar') return null;
  const bytes =
    block.readUInt8(124) === 0x80
      ? Number(block.readBigUInt64BE(128))
      : Number.parseInt(textAt(block, 124, 12), 8);
  return Number.isSafeInteger(bytes) ? { name: textAt(block, 0, 100), bytes } : null;
}

/** The size of contents with the padding that fills their last block. */
export function paddedBytes(bytes: number): number {
  return Math.ceil(bytes / blockBytes) * blockBytes;
}

/** The sum of the block's bytes, with spaces instead of the checksum. */
function checksumOf(block: Buffer): number {
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
