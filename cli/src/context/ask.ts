import { createInterface } from 'node:readline/promises';
import { CliError, UsageError } from '../errors/cli-error.ts';
import { Interrupted } from '../errors/interrupted.ts';

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
}

/**
 * Asks for a confirmation.
 * @throws UsageError if nobody can answer
 * @throws CliError if the answer is not yes
 */
export async function askYesNo(question: string, { stdin, stderr, signal }: Terminal): Promise<void> {
  if (stdin.isTTY !== true || stderr.isTTY !== true)
    throw new UsageError(`${question} Nobody can answer here: add --yes.`);
  const lines = createInterface({ input: stdin, output: stderr });
  // Reading lines takes Ctrl-C from the terminal before the process receives a signal.
  const interrupt = new Promise<never>((_, reject) => lines.once('SIGINT', () => reject(new Interrupted())));
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), interrupt]);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was changed.');
  } finally {
    lines.close();
  }
}
