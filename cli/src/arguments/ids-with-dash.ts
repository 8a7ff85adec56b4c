import type { Command } from 'commander';

/** An id of 21 characters that begins with a dash, as one in 64 does. No short option is that long. */
const idWithDash = /^-[\w-]{20}$/;
/** Cannot occur in an argument of a process. */
const mark = '\0';

/** Returns the arguments with ids marked that would be read as options. `unmarkIds` takes the marks off. */
export function markIds(args: readonly string[]): string[] {
  return args.map((arg) => (idWithDash.test(arg) && !arg.startsWith('--') ? mark + arg : arg));
}

/** Takes the marks off what an action receives. */
export function unmarkIds(program: Command): void {
  program.hook('preAction', (_, command) => {
    const { processedArgs } = command;
    for (const [index, value] of processedArgs.entries()) processedArgs[index] = unmarked(value);
    for (const [name, value] of Object.entries(command.opts()))
      if (isMarked(value)) command.setOptionValue(name, unmarked(value));
  });
}

function isMarked(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(mark);
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  return isMarked(value) ? value.slice(mark.length) : value;
}
