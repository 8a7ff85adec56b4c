/** A request body that has not been read. It can be read once, by `read` or by `chunks`. Limits count decoded bytes. */
export interface RequestBody {
  /**
   * Reads the whole body, without its content coding. `workingBytes`: the memory that the handler needs in addition to
   * the body; it counts against the budget of bodies in flight. The body has a separate buffer, which may be
   * transferred to a thread and is freed with the response.
   * @throws ApiError `payload_too_large`; `service_unavailable` without room in the budget; `request_timeout` if the
   * client stalls; `bad_request` if it disconnects; `validation_failed` if the coding cannot be decoded
   */
  read(limit: number, workingBytes?: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Yields the body in pieces, read only as fast as they are consumed. The memory of a piece is freed when the next one is
   * requested: copy data that is kept longer. A loop may be left early. `workingBytes` and errors as for `read`.
   */
  chunks(limit: number, workingBytes: number): AsyncIterable<Buffer>;
}
