import { readFile } from 'node:fs/promises';
import { type BrandportAdmin, isBrandportError } from '@brandport/client/admin';
import { addBrandOption, type BrandOption } from '../arguments.ts';
import type { CliContext } from '../context/cli-context.ts';
import { CliError, exitCodes, UsageError } from '../errors.ts';
import { quantity } from '../output/quantity.ts';
import type { Define } from './command.ts';

export const defineLearners: Define = (group, run) => {
  for (const [name, isOut, description] of [
    ['opt-out', true, 'exclude learners from all analytics, also from past days'],
    ['opt-in', false, 'include learners in the analytics again'],
  ] as const)
    addBrandOption(group.command(name).argument('[tu_id...]', 'the learners'))
      .description(description)
      .option('--file <path>', 'a tu_id a line; - is standard input')
      .action((ids, options) => run((context) => setOptOut(context, ids, { ...options, isOut })));
  addBrandOption(group.command('erase').argument('[tu_id...]', 'the learners'))
    .description(
      'erase learners from the datasets of learners and from the raw events; this cannot be undone',
    )
    .option('--file <path>', 'a tu_id a line; - is standard input')
    .action((ids, options) => run((context) => eraseLearners(context, ids, options)));
};

interface OptOutOptions extends BrandOption {
  readonly file?: string;
  readonly isOut: boolean;
}

/** The most items of a request. */
const batchSize = 10_000;

/** Excludes learners or includes them again. Setting it twice changes nothing, so that an interrupted run is repeated. */
async function setOptOut(
  context: CliContext,
  ids: readonly string[],
  { brand, file, isOut }: OptOutOptions,
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const learners = await readLearners(context, ids, file);
  const { directory } = await context.admin({ isPatient: true });
  if (learners.length > 1)
    await context.confirm(
      `${isOut ? 'Exclude' : 'Include'} ${quantity(learners.length, 'learner')} of brand ${brandId}?`,
    );
  context.resumeWith('Run the same command again: what is done stays.');
  const bar = context.progress('learners');
  let upserted = 0;
  for (let at = 0; at < learners.length; at += batchSize) {
    const items = learners.slice(at, at + batchSize).map((tu_id) => ({ tu_id, analytics_opt_out: isOut }));
    upserted += (await directory.putLearners(brandId, { items }, { signal: context.signal })).upserted;
    bar.update(at + items.length, learners.length);
  }
  bar.stop();
  context.output.item({ upserted }, { id: (done) => done.upserted });
}

/** Concurrent requests: an erasure waits for the database, not for this process. */
const concurrency = 4;

/** Erases learners. One that does not exist counts as unknown, so that an interrupted run is repeated. */
async function eraseLearners(
  context: CliContext,
  ids: readonly string[],
  { brand, file }: BrandOption & { readonly file?: string },
): Promise<undefined> {
  const brandId = context.brandId(brand);
  const learners = await readLearners(context, ids, file);
  const { directory } = await context.admin({ isPatient: true });
  await context.confirm(
    `Erase ${quantity(learners.length, 'learner')} of brand ${brandId}? This cannot be undone.`,
  );
  context.resumeWith('Run the same command again: learners that are erased are skipped.');
  const bar = context.progress('learners');
  const done = { erased: 0, unknown: 0 };
  const queue = learners.values();
  const work = async () => {
    for (const tuId of queue) {
      if (await erase(directory, { brandId, tuId }, context.signal)) done.erased += 1;
      else done.unknown += 1;
      bar.update(done.erased + done.unknown, learners.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  bar.stop();
  context.output.item(done, { id: ({ erased }) => erased });
}

/** Returns whether the learner existed. */
async function erase(
  directory: BrandportAdmin['directory'],
  { brandId, tuId }: { readonly brandId: number; readonly tuId: string },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await directory.deleteLearner(brandId, tuId, { signal });
    return true;
  } catch (error) {
    if (isBrandportError(error, 'not_found')) return false;
    throw error;
  }
}

/** Larger files are split by their sender: a mistake in one of them is then found early. */
const largestInput = 64 * 1024 * 1024;
/** Problems that are listed; the others are counted. */
const listedProblems = 5;

/**
 * Reads the learners of a command, each once: arguments, or the lines of a file.
 * @throws CliError with exit code 3 that names lines which are no `tu_id`
 */
async function readLearners(
  { stdin }: CliContext,
  ids: readonly string[],
  file: string | undefined,
): Promise<readonly string[]> {
  if ((ids.length === 0) === (file === undefined))
    throw new UsageError('Name the learners, or a file of them: --file <path>.');
  const lines = file === undefined ? ids : (await readText(stdin, file)).replace(/^\ufeff/, '').split('\n');
  const learners = new Set<string>();
  const problems: string[] = [];
  for (const [at, line] of lines.entries()) {
    const id = line.trim();
    if (id === '') continue;
    if (/^[A-Za-z0-9_-]{1,64}$/.test(id)) learners.add(id);
    else problems.push(`  line ${at + 1}: '${id.slice(0, 80)}' is no tu_id`);
  }
  if (problems.length > 0)
    throw new CliError(
      [
        `${quantity(problems.length, 'line')} without a learner. Nothing was changed.`,
        ...problems.slice(0, listedProblems),
        ...(problems.length > listedProblems ? [`  and ${problems.length - listedProblems} more`] : []),
      ].join('\n'),
      exitCodes.input,
    );
  if (learners.size === 0) throw new CliError('There are no learners in the input.', exitCodes.input);
  return [...learners];
}

async function readText(stdin: NodeJS.ReadableStream, file: string): Promise<string> {
  if (file !== '-')
    return readFile(file, 'utf8').catch((error: Error) => {
      throw new CliError(`${file} cannot be read: ${error.message}.`, exitCodes.input);
    });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > largestInput) throw new CliError('The input has more than 64 MB.', exitCodes.input);
  }
  return Buffer.concat(chunks).toString('utf8');
}
