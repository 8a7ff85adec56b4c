/** Something that the person at the keyboard has to know; shown without a stack. */
export class DemoError extends Error {
  /** 2: the command was not understood or cannot start; 1: it did not reach its end. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.name = 'DemoError';
    this.exitCode = exitCode;
  }
}
