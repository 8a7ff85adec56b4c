import type { CommandWords } from './command-words.ts';

/** Returns the completion script for bash from 3.2. Without a match, bash completes the names of files. */
export function bashScript(commands: readonly CommandWords[]): string {
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
