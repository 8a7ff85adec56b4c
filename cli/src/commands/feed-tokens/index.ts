import type { FeedToken } from '@brandport/client/admin';
import { addBrandCheck, addBrandOption, type BrandOption } from '../../arguments/brand-option.ts';
import { addListOptions, type ListOptions, pageSize, writeList } from '../../arguments/list-options.ts';
import { parseInteger } from '../../arguments/parse-arguments.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError, UsageError } from '../../errors/cli-error.ts';
import type { ListLayout } from '../../output/output.ts';
import type { Define } from '../command.ts';

export const defineFeedTokens: Define = (group, run) => {
  addListOptions(addBrandOption(group.command('list').description('list the feed tokens of a brand'))).action(
    (options) => run((context) => list(context, options)),
  );
  addBrandOption(group.command('create'))
    .description('create a feed token and print it, once; with --quiet, the token alone')
    .requiredOption('--name <name>', 'a label, such as the system that uses the token')
    .action((options) => run((context) => create(context, options)));
  addBrandCheck(group.command('delete').argument('<id>'), 'the token')
    .description('delete a feed token; it is refused from then on')
    .action((id, options) => run((context) => remove(context, id, options)));
};

const layout: ListLayout<FeedToken> = {
  id: ({ id }) => id,
  columns: [
    { head: 'id', value: ({ id }) => id },
    { head: 'name', value: ({ name }) => name },
    { head: 'token', value: ({ masked }) => masked },
    { head: 'last used', value: ({ last_used_at }) => last_used_at },
    { head: 'created', value: ({ created_at }) => created_at },
  ],
};

async function list(context: CliContext, options: ListOptions & BrandOption): Promise<undefined> {
  const brandId = context.brandId(options.brand);
  const { keys } = await context.admin();
  const query = { per_page: pageSize(options) };
  return writeList(context, options, keys.listFeedTokens(brandId, query, { signal: context.signal }), layout);
}

async function create(
  context: CliContext,
  { brand, name }: BrandOption & { readonly name: string },
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const { keys } = await context.admin();
  context.resumeWith('A token may have been created: `brandport feed-tokens list` shows it.');
  const issued = await keys.createFeedToken(brandId, { name }, { signal: context.signal });
  const { id, token } = issued;
  if (token === null)
    throw new CliError(
      `The feed token ${id} was created, but the connection broke before it arrived. Delete it with \`brandport feed-tokens delete ${id}\`, and create another.`,
    );
  context.output.item(issued, { id: () => token });
  context.tell('The token is shown only this once.');
}

async function remove(context: CliContext, id: string, { brand }: BrandOption): Promise<undefined> {
  const tokenId = parseInteger(id, '<id>', { least: 1 });
  const { keys } = await context.admin();
  if (brand !== undefined) await assertTokenOf(context, tokenId, context.brandId(brand));
  await context.confirm(`Delete the feed token ${tokenId}? The system that uses it can send no more feeds.`);
  await keys.deleteFeedToken(String(tokenId), { signal: context.signal });
  context.tell(`The feed token ${tokenId} was deleted.`);
}

/** @throws UsageError if the brand does not have the token */
async function assertTokenOf(context: CliContext, tokenId: number, brandId: number): Promise<void> {
  const { keys } = await context.admin();
  for await (const { id } of keys.listFeedTokens(brandId, { per_page: 200 }, { signal: context.signal }))
    if (id === tokenId) return;
  throw new UsageError(`The brand ${brandId} has no feed token ${tokenId}. Nothing was deleted.`);
}
