import type { Command, Option } from 'commander';

/** A word that completes a command line, with its description. */
export interface Word {
  readonly word: string;
  readonly description: string;
}

/** One command of the tree. */
export interface CommandWords {
  /** The names that lead to it, such as `keys list`; empty for the program. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
}

/** Collects the commands and options of a program, and of all commands below it. Options of the program apply everywhere. */
export function commandWords(program: Command): readonly CommandWords[] {
  const everywhere = program.options.filter(({ long }) => long !== '--version').map(optionWord);
  const collect = (command: Command, path: string): CommandWords[] => {
    const commands = command.createHelp().visibleCommands(command);
    const own = command === program ? [] : command.options.filter(({ hidden }) => !hidden).map(optionWord);
    const help = { word: '--help', description: 'display help' };
    return [
      {
        path,
        commands: commands.map((child) => ({ word: child.name(), description: child.description() })),
        options: [...own, ...everywhere, help],
      },
      ...commands
        .filter((child) => child.name() !== 'help')
        .flatMap((child) => collect(child, `${path} ${child.name()}`.trim())),
    ];
  };
  return collect(program, '');
}

function optionWord(option: Option): Word {
  return { word: option.long ?? option.short ?? '', description: option.description };
}
