import type { CliContext } from '../../context/cli-context.ts';
import { UsageError } from '../../errors/cli-error.ts';
import type { Define } from '../command.ts';

export const defineRequest: Define = (command, run) => {
  command
    .argument('<request_id>', 'the X-Request-Id of a response')
    .action((requestId: string) => run((context) => showRequest(context, requestId)));
};

async function showRequest(context: CliContext, requestId: string): Promise<undefined> {
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(requestId)) throw new UsageError(`'${requestId}' is no request id.`);
  const { lookups } = await context.admin();
  const { entries } = await lookups.request(requestId, { signal: context.signal });
  await context.output.list(entries, {
    id: ({ kind }) => kind,
    columns: [
      { head: 'at', value: ({ at }) => at },
      { head: 'kind', value: ({ kind }) => kind },
      { head: 'brand', value: ({ brand_id }) => brand_id },
      { head: 'what', value: ({ at: _, kind: _kind, brand_id: _brand, ...what }) => describe(what) },
    ],
  });
}

/** Describes the fields of an entry, which depend on its kind. */
function describe(fields: object): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : value}`)
    .join(' ');
}
