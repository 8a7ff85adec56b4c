import type { CliContext } from '../../context/cli-context.ts';
import { NoAccess } from '../../profiles/connection.ts';
import type { Define } from '../command.ts';

export const defineWhoami: Define = (command, run) => {
  command
    .addHelpText(
      'after',
      '\nA profile named by --profile is used before the environment, and that before the default profile.',
    )
    .action(() => run(whoami));
};

async function whoami(context: CliContext): Promise<undefined> {
  const client = find(context, 'client');
  const admin = find(context, 'admin');
  if (client === null && admin === null) context.connection('client');
  const described = {
    client: client === null ? null : await clientIdentity(context),
    admin:
      admin === null
        ? null
        : { profile: admin.profile, source: admin.source, url: admin.url, brand_id: admin.brandId },
  };
  context.output.item(described, {
    id: ({ client: key, admin: token }) => key?.brand_id ?? token?.profile ?? '-',
    fields: () => [...lines('key', described.client), ...lines('admin', described.admin)],
  });
}

/** Returns the connection, or null if nothing provides one. @throws CliError for a mistake in the environment or the file */
function find(context: CliContext, kind: 'client' | 'admin') {
  try {
    return context.connection(kind);
  } catch (error) {
    if (error instanceof NoAccess) return null;
    throw error;
  }
}

async function clientIdentity(context: CliContext) {
  const { profile, source, url } = context.connection('client');
  const brandport = await context.brandport();
  return { profile, source, url, ...(await brandport.catalog.status({ signal: context.signal })) };
}

function lines(prefix: string, values: object | null): [string, unknown][] {
  return Object.entries(values ?? {}).map(([name, value]) => [
    `${name.startsWith(`${prefix}_`) ? '' : `${prefix} `}${name.replaceAll('_', ' ')}`,
    value,
  ]);
}
