import { CommanderError } from 'commander';
import { markIds, unmarkIds } from './arguments.ts';
import { type CliProcess, createContext } from './context/create-context.ts';
import { describeFailure, exitCodes } from './errors.ts';
import { createOutput } from './output/output.ts';
import { createProgram } from './program.ts';

/** Runs one command line and returns its exit code. Everything that it needs of the process is in `cli`. */
export async function runCli(cli: CliProcess): Promise<number> {
  if (hasSecret(cli.args)) {
    cli.stderr.write(`${secretInArguments}\n`);
    return exitCodes.usage;
  }
  let exitCode: number = exitCodes.done;
  // A closed or full standard error must not end the command.
  cli.stderr.on('error', () => {});
  const program = await createProgram(cli, async (options, action) => {
    const context = createContext(cli, options);
    try {
      exitCode = (await action(context)) ?? exitCodes.done;
      // Only now is it known whether all of the output was written.
      await context.output.flush();
    } catch (error) {
      const failure = describeFailure(error, { ...context, isJson: options.json === true });
      exitCode = failure.exitCode;
      if (failure.message !== '') context.tell(failure.message);
    } finally {
      context.end();
    }
  });
  try {
    unmarkIds(program);
    await program.parseAsync(markIds(cli.args), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const { signal } = new AbortController();
      const failure = describeFailure(error, {
        signal,
        resumeSentence: '',
        isJson: cli.args.includes('--json'),
      });
      cli.stderr.write(`${failure.message}\n`);
      return failure.exitCode;
    }
    // Help and the version are results; everything else is a mistake of the caller.
    if (error.exitCode !== 0) return exitCodes.usage;
    return endOutput(cli);
  }
}

/** Returns the exit code of a command whose output is all that it does. */
async function endOutput({ stdout, stderr }: CliProcess): Promise<number> {
  try {
    await createOutput(stdout, 'table', false).flush();
    return exitCodes.done;
  } catch (error) {
    const { signal } = new AbortController();
    const { exitCode, message } = describeFailure(error, { signal, resumeSentence: '' });
    if (message !== '') stderr.write(`${message}\n`);
    return exitCode;
  }
}

const secretForm = /(tuk|bpa)_[0-9a-f]{24}\.|cfk_[A-Za-z0-9]{20}/i;

/** Returns whether a command line contains a key or token. */
function hasSecret(args: readonly string[]): boolean {
  return args.some((arg) => secretForm.test(arg));
}

/** The sentence about a key in a command line. It does not repeat the key. */
const secretInArguments =
  'error: a key or token is in the command line, where other users and the history of the shell can see it. Rotate it. ' +
  '`brandport login` reads standard input.';
