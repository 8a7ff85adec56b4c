/**
 * Frees the memory behind a view at once: V8 lets tens of MiB of unused buffers accumulate [D56]. All views of the buffer are
 * empty afterwards. Does nothing if the view is only a part of its buffer, because other views may use the rest.
 */
export function freeBytes(view: Uint8Array): void {
  if (view.byteLength === view.buffer.byteLength) freeBuffer(view.buffer);
}

/** Frees a buffer at once; its views are empty afterwards. Safe to call again and after a transfer to a thread. */
export function freeBuffer(buffer: ArrayBufferLike): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
