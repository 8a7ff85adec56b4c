import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

/** A file that cannot be read, or one whose content cannot be sent: exit code 3. */
export class InputError extends CliError {
  override readonly name = 'InputError';

  constructor(message: string) {
    super(message, exitCodes.input);
  }
}
