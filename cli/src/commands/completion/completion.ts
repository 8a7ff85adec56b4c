import { Argument } from 'commander';
import type { Define } from '../command.ts';
import { bashScript } from './bash-script.ts';
import { type CommandWords, commandWords } from './command-words.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

const scripts: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const defineCompletion: Define = (command, run) => {
  command
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      '\nbash: source <(brandport completion bash)   in ~/.bashrc\n' +
        'zsh:  source <(brandport completion zsh)    in ~/.zshrc, after compinit\n' +
        'fish: brandport completion fish > ~/.config/fish/completions/brandport.fish',
    )
    .action((shell: string) =>
      run(async ({ output }) => {
        const script = scripts[shell];
        if (script !== undefined && command.parent !== null)
          output.write(script(commandWords(command.parent)));
      }),
    );
};
