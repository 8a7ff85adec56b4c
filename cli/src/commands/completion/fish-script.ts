import type { CommandWords, Word } from './command-words.ts';

/** Returns the completion script for fish, with descriptions. */
export function fishScript(commands: readonly CommandWords[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const lines = commands.flatMap(({ path, commands: names, options }) => {
    const condition = `-n ${quoted(`__brandport_at ${quoted(path)}`)}`;
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
  return ` -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
