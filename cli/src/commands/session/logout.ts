import type { CliContext } from '../../context/cli-context.ts';
import { UsageError } from '../../errors/cli-error.ts';
import { withoutProfile } from '../../profiles/change-profiles.ts';
import type { Define } from '../command.ts';

export const defineLogout: Define = (command, run) => {
  command
    .addHelpText('after', '\nThe key stays valid: an operator revokes it.')
    .action(() => run(async (context) => logout(context)));
};

function logout(context: CliContext): undefined {
  const stored = context.profiles.read();
  const name = context.options.profile ?? (context.env['BRANDPORT_PROFILE'] || stored.default);
  if (name === null) throw new UsageError('Nobody is logged in. Name a profile: --profile <name>.');
  if (!Object.hasOwn(stored.profiles, name))
    throw new UsageError(`There is no profile '${name}'. 'brandport profiles' lists them.`);
  context.profiles.update(withoutProfile(name));
  context.tell(`The profile '${name}' was removed from ${context.profiles.path}. Its key stays valid.`);
}
