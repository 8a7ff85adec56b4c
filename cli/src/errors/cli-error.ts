import { type ExitCode, exitCodes } from './exit-codes.ts';

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
