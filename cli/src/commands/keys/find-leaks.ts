import type { LeakList } from '@brandport/client/admin';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import type { ListLayout } from '../../output/output.ts';

/** Longer texts are cut by their sender: the service takes at most 500 keys of one text. */
const longestText = 1_000_000;

/** Finds the keys and tokens on standard input. The text is neither stored nor repeated. */
export async function findLeaks(
  context: CliContext,
  { revoke = false }: { readonly revoke?: boolean },
): Promise<undefined> {
  const text = await readText(context);
  const { keys } = await context.admin({ isReadOnly: !revoke });
  if (revoke)
    await context.confirm('Revoke every key and delete every token whose secret the text contains?');
  context.resumeWith('Run the same command again: what is revoked stays revoked.');
  const { data } = await keys.findLeaks({ text, revoke }, { signal: context.signal });
  await context.output.list(data, layout);
}

async function readText({ stdin, tell }: CliContext): Promise<string> {
  if (stdin.isTTY === true) tell('Paste the text, then press Ctrl-D:');
  let text = '';
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > longestText)
      throw new CliError('The text has more than 1,000,000 characters.', exitCodes.input);
  }
  return text;
}

const layout: ListLayout<LeakList['data'][number]> = {
  id: ({ id }) => id ?? '-',
  columns: [
    { head: 'kind', value: ({ kind }) => kind },
    { head: 'id', value: ({ id }) => id },
    { head: 'brand', value: ({ brand_id }) => brand_id },
    { head: 'name', value: ({ name }) => name },
    { head: 'state', value: ({ state }) => state },
    {
      head: 'secret',
      value: ({ secret_matches: matches }) =>
        matches === null ? 'not in the text' : matches ? 'real' : 'another',
    },
    { head: 'revoked', value: ({ revoked }) => revoked },
  ],
};
