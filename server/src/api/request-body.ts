/** A request body that nobody has read yet. It is read once: by `read` or by `chunks`. */
export interface RequestBody {
  /**
   * The whole body, without its content coding. `workingBytes`: the memory that the handler needs besides the body; it
   * counts against the budget of bodies in flight.
   * @throws ApiError `payload_too_large` over `limit` bytes; `service_unavailable` when there is no room in the budget;
   *   `request_timeout` when the client stands still; `bad_request` when it is gone; `validation_failed` when the
   *   coding cannot be decoded
   */
  read(limit: number, workingBytes?: number): Promise<ReceivedBody>;
  /**
   * The body piece by piece, read only as fast as the pieces are taken. The memory of a piece is freed when the next one is
   * asked for: copy what is kept longer. A loop may be left early: the response can
   * still be sent. `workingBytes` and errors as of `read`, without a limit of the body.
   */
  chunks(workingBytes: number): AsyncIterable<Buffer>;
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

/** Bytes that are in memory already, as a body. */
export function receivedBodyOf(bytes: Uint8Array): ReceivedBody {
  // A buffer of its own: blocks may be handed to a thread, and small buffers share one.
  return { blocks: [new Uint8Array(bytes)], length: bytes.length };
}
