/** A request body that nobody has read yet. It is read once: by `read` or by `chunks`. */
export interface RequestBody {
  /**
   * The whole body, as it is on the wire, in order.
   * @throws ApiError `payload_too_large` over `limit` bytes; `request_timeout` when the sender stands still;
   *   `bad_request` when the sender is gone
   */
  read(limit: number): Promise<ReceivedBody>;
  /**
   * The body piece by piece, read only as fast as the pieces are taken. A loop may be left early: the response can
   * still be sent. Throws as `read` does, without a limit.
   */
  chunks(): AsyncIterable<Buffer>;
}

/** A body in memory. */
export interface ReceivedBody {
  /** One after the other, none empty. */
  readonly blocks: readonly Uint8Array<ArrayBuffer>[];
  /** Bytes of all blocks. */
  readonly length: number;
}

/** The body as one buffer; for bodies that are small enough to copy. */
export function joinBlocks({ blocks, length }: ReceivedBody): Buffer {
  const [first] = blocks;
  if (first !== undefined && blocks.length === 1) return Buffer.from(first.buffer, first.byteOffset, length);
  return Buffer.concat(blocks, length);
}
