import { isBrandportError } from '@brandport/client';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { type FollowOptions, followChanges } from '../changes/follow-changes.ts';

/** Writes the changes of stock like `followChanges`. @throws CliError if the service no longer knows the place */
export async function stockChanges(context: CliContext, options: FollowOptions): Promise<undefined> {
  try {
    return await followChanges(context, options, ({ stock }, own) => stock.changes(own));
  } catch (error) {
    if (isBrandportError(error, 'validation_failed') && error.errors['changed_after'] !== undefined)
      throw new CliError(
        `The place in ${options.state} is older than the changes that the service keeps, or from before a restore. Remove the file and your copy of the levels, and run the command again: it begins with all levels.`,
        exitCodes.input,
      );
    throw error;
  }
}
