import type { CliContext } from '../../context/cli-context.ts';
import { UsageError } from '../../errors/cli-error.ts';
import { type Profile, withoutProfile } from '../../profiles/profile.ts';
import type { Define } from '../command.ts';

/** A profile without its secrets. */
interface ProfileRow {
  readonly name: string;
  readonly is_default: boolean;
  readonly client: { readonly url: string; readonly key_id: string; readonly brand_id: number } | null;
  readonly admin: { readonly url: string; readonly brand_id: number | null } | null;
}

export const defineProfiles: Define = (command, run) => {
  command.action(() => run(list));
  command
    .command('use')
    .argument('<name>')
    .description('use this profile unless another one is named')
    .action((name: string) => run(async (context) => use(context, name)));
};

async function list({ output, profiles }: CliContext): Promise<undefined> {
  const stored = profiles.read();
  const rows = Object.entries(stored.profiles).map(([name, profile]) =>
    rowOf(name, profile, stored.default === name),
  );
  await output.list(rows, {
    id: ({ name }) => name,
    columns: [
      { head: 'profile', value: ({ name, is_default }) => (is_default ? `${name} (default)` : name) },
      { head: 'key', value: ({ client }) => client?.key_id },
      { head: 'brand', value: ({ client, admin }) => client?.brand_id ?? admin?.brand_id },
      { head: 'address', value: ({ client }) => client?.url },
      { head: 'internal address', value: ({ admin }) => admin?.url },
    ],
  });
}

function rowOf(name: string, { client, admin }: Profile, isDefault: boolean): ProfileRow {
  return {
    name,
    is_default: isDefault,
    client:
      client === undefined ? null : { url: client.url, key_id: client.key_id, brand_id: client.brand_id },
    admin: admin === undefined ? null : { url: admin.url, brand_id: admin.brand_id },
  };
}

function use({ profiles, tell }: CliContext, name: string): undefined {
  if (!Object.hasOwn(profiles.read().profiles, name))
    throw new UsageError(`There is no profile '${name}'. 'brandport profiles' lists them.`);
  profiles.update((stored) => ({ ...stored, default: name }));
  tell(`The profile '${name}' is used from now on, unless another one is named.`);
}

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
