import { systemClock } from '../lib/clock.ts';
import type { AddCommand, CommandContext } from './command.ts';

interface SupportArguments {
  readonly out?: string;
  readonly doctor?: boolean;
}

export const addSupport: AddCommand = (program, run) => {
  program
    .command('support')
    .description(
      'write a bundle for somebody who looks into a problem, without secrets; safe while the server is running',
    )
    .option('--out <file>', 'the file to write; default: brandport-support-<time>.tar.gz in this directory')
    .option('--doctor', 'run the doctor, and include its report')
    .addHelpText(
      'after',
      '\nWorks while the database is unavailable. The README.txt in the bundle says what is missing.',
    )
    .action((args) => run((context) => support(context, args)));
};

async function support(
  { stopping, write, ...context }: CommandContext,
  { out, doctor = false }: SupportArguments,
): Promise<number> {
  const { runSupportCommand } = await import('../serve/support-command.ts');
  const time = new Date(systemClock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const file = out ?? `brandport-support-${time}.tar.gz`;
  const { missing } = await runSupportCommand({ ...context, cancelled: stopping() }, file, doctor);
  write(`${file}\n${missing.map((reason) => `  missing ${reason}\n`).join('')}`);
  return 0;
}
