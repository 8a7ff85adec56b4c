import { readFile } from 'node:fs/promises';
import type { CliContext } from '../../context/cli-context.ts';
import { CliError, exitCodes, UsageError } from '../../errors/cli-error.ts';

/** Larger files are split by their sender: a mistake in one of them is then found early. */
const largestInput = 64 * 1024 * 1024;
/** Problems that are listed; the others are counted. */
const listedProblems = 5;

/**
 * Reads the learners of a command, each once: arguments, or the lines of a file.
 * @throws CliError with exit code 3 that names lines which are no `tu_id`
 */
export async function readLearners(
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
        `${problems.length} lines are not learners. Nothing was changed.`,
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
