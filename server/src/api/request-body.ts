/** A request body that has not been read. It can be read once, by `read` or by `chunks`. */
export interface RequestBody {
  /**
   * Reads the whole body, without its content coding. `workingBytes`: the memory that the handler needs in addition to
   * the body; it counts against the budget of bodies in flight.
   * @throws ApiError `payload_too_large`; `service_unavailable` without room in the budget; `request_timeout` if the
   * client stalls; `bad_request` if it disconnects; `validation_failed` if the coding cannot be decoded
   */
  read(limit: number, workingBytes?: number): Promise<ReceivedBody>;
  /**
   * Yields the body in pieces, read only as fast as they are consumed. The memory of a piece is freed when the next one is
   * requested: copy data that is kept longer. A loop may be left early. `workingBytes` and errors as for `read`.
   */
  chunks(workingBytes: number): AsyncIterable<Buffer>;
}

/** A body in memory. */
export interface ReceivedBody {
  /** One after the other, none empty. */
  readonly blocks: readonly Uint8Array<ArrayBuffer>[];
  readonly length: number;
}

/** The body as one buffer; for bodies that are small enough to copy. */
export function joinBlocks({ blocks, length }: ReceivedBody): Buffer {
  const [first] = blocks;
  if (first !== undefined && blocks.length === 1) return Buffer.from(first.buffer, first.byteOffset, length);
  return Buffer.concat(blocks, length);
}

export function receivedBodyOf(bytes: Uint8Array): ReceivedBody {
  // A separate buffer: blocks may be transferred to a thread, and small buffers share one.
  return { blocks: [new Uint8Array(bytes)], length: bytes.length };
}
