import type { Command } from 'commander';
import { nearestName } from './nearest-name.ts';

/** Makes the program and its groups of commands refuse names that they do not have, with the nearest one that they have. */
export function refuseUnknownCommands(program: Command): void {
  // Without a name, the program itself acts.
  program.allowExcessArguments().hook('preAction', (_program, acting) => {
    const [name] = program.args;
    if (acting === program && name !== undefined) refuse(program, name);
  });
  for (const group of program.commands.filter(({ commands }) => commands.length > 0))
    group.on('command:*', ([name]: [string]) => refuse(group, name));
}

function refuse(group: Command, name: string): never {
  const nearest = nearestName(
    name,
    group.commands.map((command) => command.name()),
  );
  const path = group.parent === null ? group.name() : `${group.parent.name()} ${group.name()}`;
  group.error(
    `error: unknown command '${name}'.${nearest === null ? '' : ` The nearest is '${path} ${nearest}'.`} '${path} --help' lists all.`,
    { code: 'commander.unknownCommand' },
  );
}
