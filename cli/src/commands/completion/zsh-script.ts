import type { CommandWords } from './command-words.ts';

/** Returns the completion script for zsh, with descriptions. */
export function zshScript(commands: readonly CommandWords[]): string {
  const nested = commands.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const words = commands.map(
    ({ path, commands: names, options }) =>
      `    (${quoted(path)})\n      names=(${described(names)})\n      options=(${described(options)}) ;;`,
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
    .map(({ word, description }) => quoted(`${word.replaceAll(':', '\\:')}:${description}`))
    .join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
