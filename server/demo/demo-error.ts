/** An error for the user; shown without a stack trace. */
export class DemoError extends Error {
  /** 2: the command is invalid or cannot start; 1: the run did not finish. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.name = 'DemoError';
    this.exitCode = exitCode;
  }
}
