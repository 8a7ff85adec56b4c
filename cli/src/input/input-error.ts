/** A file that cannot be read, or a row that says nothing that could be sent. The command exits with 3. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
