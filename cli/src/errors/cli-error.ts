/** Ends a command with a sentence for its user and an exit code. The message holds no key and no token. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A mistake in the command line: exit code 2. */
export class UsageError extends CliError {
  override readonly name: string = 'UsageError';

  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

/** The exit codes of all commands [D145]. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line is wrong: nothing was sent. */
  usage: 2,
  /** The input has problems: correct it. */
  input: 3,
  /** The service refused the key or the token, or its scopes. */
  refused: 4,
  /** A part was done. The same command does the rest. */
  partial: 5,
  /** With `--detailed-exitcode`: there are changes. */
  changes: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

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

/** A file that cannot be read, or one whose content cannot be sent: exit code 3. */
export class InputError extends CliError {
  override readonly name = 'InputError';

  constructor(message: string) {
    super(message, exitCodes.input);
  }

  /** Describes the failure of reading a file. */
  static of(path: string, error: unknown): InputError {
    if (error instanceof InputError) return error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'does not exist',
      EACCES: 'may not be read by this user',
      EISDIR: 'is a directory',
    };
    const reason = reasons[code ?? ''];
    return new InputError(
      reason === undefined ? `${path}: ${message ?? String(error)}` : `${path} ${reason}.`,
    );
  }
}
