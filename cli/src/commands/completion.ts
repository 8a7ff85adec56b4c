import { Argument, type Command, type Option } from 'commander';
import type { Define } from './command.ts';

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

/** A word that completes a command line, with its description. */
interface Word {
  readonly word: string;
  readonly description: string;
}

/** One command of the tree. */
interface CommandWords {
  /** The names that lead to it, such as `keys list`; empty for the program. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
}

/** Collects the commands and options of a program, and of all commands below it. Options of the program apply everywhere. */
function commandWords(program: Command): readonly CommandWords[] {
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

/** Returns the completion script for bash from 3.2. Without a match, bash completes the names of files. */
function bashScript(commands: readonly CommandWords[]): string {
  const nested = commands.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  const words = commands.map(
    ({ path, commands: names, options }) =>
      `    '${path}')\n      names='${wordList(names)}'\n      options='${wordList(options)}' ;;`,
  );
  return `# Completion of brandport for bash: source <(brandport completion bash)
_brandport() {
  local at='' next names='' options='' cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" i
  COMPREPLY=()
  if [ "$prev" = '--profile' ]; then
    COMPREPLY=($(compgen -W "$(brandport profiles --quiet 2>/dev/null)" -- "$cur"))
    return
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case "$next" in
      ${nested.join(' | \\\n      ')}) at="$next" ;;
    esac
  done
  case "$at" in
${words.join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$names" -- "$cur")) ;;
  esac
}
complete -o default -F _brandport brandport
`;
}

function wordList(words: CommandWords['commands']): string {
  return words.map(({ word }) => word).join(' ');
}

/** Returns the completion script for zsh, with descriptions. */
function zshScript(commands: readonly CommandWords[]): string {
  const nested = commands.filter(({ path }) => path !== '').map(({ path }) => shellQuoted(path));
  const words = commands.map(
    ({ path, commands: names, options }) =>
      `    (${shellQuoted(path)})\n      names=(${described(names)})\n      options=(${described(options)}) ;;`,
  );
  return `#compdef brandport
# Completion of brandport for zsh: source <(brandport completion zsh), after compinit
_brandport() {
  local at='' next word
  local -a names options profiles
  if [[ "\${words[CURRENT-1]}" == '--profile' ]]; then
    profiles=(\${(f)"$(brandport profiles --quiet 2>/dev/null)"})
    compadd -a profiles
    return
  fi
  for word in \${words[2,CURRENT-1]}; do
    next="\${at:+$at }$word"
    case "$next" in
      (${nested.join('|\\\n      ')}) at="$next" ;;
    esac
  done
  case "$at" in
${words.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe 'option' options
  elif (( \${#names} )); then
    _describe 'command' names
  else
    _files
  fi
}
compdef _brandport brandport
`;
}

function described(words: CommandWords['commands']): string {
  return words
    .map(({ word, description }) => shellQuoted(`${word.replaceAll(':', '\\:')}:${description}`))
    .join(' ');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns the completion script for fish, with descriptions. */
function fishScript(commands: readonly CommandWords[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => fishQuoted(path));
  const lines = commands.flatMap(({ path, commands: names, options }) => {
    const condition = `-n ${fishQuoted(`__brandport_at ${fishQuoted(path)}`)}`;
    return [
      ...names.map((name) => `complete -c brandport ${condition} -f -a ${name.word}${about(name)}`),
      ...options.map(
        (option) => `complete -c brandport ${condition} -l ${option.word.replace(/^--/, '')}${about(option)}`,
      ),
    ];
  });
  return `# Completion of brandport for fish: brandport completion fish | source
function __brandport_at
  set -l paths ${paths.join(' ')}
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$at $word")
    contains -- "$next" $paths; and set at "$next"
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function about({ description }: Word): string {
  return ` -d ${fishQuoted(description)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
