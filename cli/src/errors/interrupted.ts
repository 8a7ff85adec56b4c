/** The reason of the signal that Ctrl-C aborts. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor() {
    super('Interrupted.');
  }
}

/** The reader of standard output has gone, such as `head`: the rest of the output is not needed. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';

  constructor() {
    super('The output was closed.');
  }
}
