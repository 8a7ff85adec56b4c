import { createInterface } from 'node:readline/promises';
import { CliError, Interrupted, UsageError } from '../errors/cli-error.ts';

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

interface RawInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
}

/** A secret is a line; more is a file that was piped by mistake. */
const longestSecret = 1_000;

/**
 * Reads a secret: typed without an echo on a terminal, otherwise all of standard input.
 * @param tell writes to standard error
 * @throws UsageError for an empty or implausible secret
 * @throws Interrupted on Ctrl-C at the prompt
 */
export async function readSecret(
  stdin: RawInput,
  name: string,
  tell: (text: string) => void,
): Promise<string> {
  const isTyped = stdin.isTTY === true && stdin.setRawMode !== undefined;
  const text = isTyped ? await typedSecret(stdin, name, tell) : await pipedSecret(stdin);
  const secret = text.trim();
  if (secret === '') throw new UsageError(`There is no ${name} on standard input.`);
  if (!/^[\x21-\x7e]+$/.test(secret) || secret.length > longestSecret)
    throw new UsageError(`The input is not one ${name}.`);
  return secret;
}

async function pipedSecret(stdin: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += chunk;
    if (text.length > 2 * longestSecret) break;
  }
  return text;
}

function typedSecret(stdin: RawInput, name: string, tell: (text: string) => void): Promise<string> {
  // Without the echo before the prompt: who answers at once is not faster than the terminal.
  stdin.setRawMode?.(true);
  tell(`${name}: `);
  stdin.setEncoding('utf8');
  stdin.resume();
  let typed = '';
  return new Promise<string>((resolve, reject) => {
    const finish = (end: () => void) => {
      stdin.off('data', take);
      stdin.setRawMode?.(false);
      stdin.pause();
      tell('\n');
      end();
    };
    const take = (chunk: string | Buffer) => {
      for (const character of String(chunk))
        if (character === '\u0003') return finish(() => reject(new Interrupted()));
        else if (character === '\r' || character === '\n' || character === '\u0004')
          return finish(() => resolve(typed));
        else if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1);
        else if (typed.length <= longestSecret) typed += character;
    };
    stdin.on('data', take);
  });
}
