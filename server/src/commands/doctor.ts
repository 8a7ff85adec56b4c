import type { DoctorArguments } from '../serve/doctor-command.ts';
import type { AddCommand, CommandContext } from './command.ts';

export const addDoctor: AddCommand = (program, run) => {
  program
    .command('doctor')
    .description('recompute all derived figures and report mismatches; safe while the server is running')
    .option('--repair', 'repair derived figures (never quantities or ledger entries)')
    .option('--json', 'print the report as one JSON document')
    .addHelpText('after', '\nExits with 0 if everything adds up or was repaired, otherwise with 1.')
    .action((args) => run((context) => doctor(context, args)));
};

async function doctor(
  { config, log, stopping, write }: CommandContext,
  args: DoctorArguments,
): Promise<number> {
  const { runDoctorCommand } = await import('../serve/doctor-command.ts');
  const { left } = await runDoctorCommand(config, args, { log, write, cancelled: stopping() });
  return left === 0 ? 0 : 1;
}
