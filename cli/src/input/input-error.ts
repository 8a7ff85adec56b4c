import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

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
