import { listSettings, type Setting } from '../../src/config.ts';
import { type Meaning, meanings } from './meanings.ts';

const introduction = `# Configuration

<!-- Generated from server/src/config.ts and server/scripts/settings-page/meanings.ts by \`npm run generate\`. Change them there. -->

All settings are environment variables; an empty one counts as unset. On an invalid value or a misspelt \`BRANDPORT_\` name, the
server names the variable and exits with code 2; it warns about other unknown \`BRANDPORT_\` names.
\`brandport --env-file FILE <command>\` reads the variables from a file; [deploy/brandport.env](../deploy/brandport.env) is one with
all of them. Quotes and backslashes are those of systemd's \`EnvironmentFile\`; a byte order mark and
\`export\` are skipped.
`;

/** Returns the text of `docs/configuration.md`. Throws if a variable has no meaning, or a meaning no variable. */
export function settingsPage(): string {
  const settings = new Map(listSettings().map((setting) => [setting.name, setting]));
  const sections = Object.entries(meanings).map(([subject, rows]) => {
    const table = rows.map((meaning) => row(meaning, settings.get(meaning.name))).join('');
    for (const { name } of rows) settings.delete(name);
    return `\n## ${subject}\n\n| variable | default | values | meaning |\n|---|---|---|---|\n${table}`;
  });
  if (settings.size > 0) throw new Error(`meanings.ts lacks ${[...settings.keys()].join(', ')}`);
  return introduction + sections.join('');
}

function row({ name, shown, means }: Meaning, setting: Setting | undefined): string {
  if (setting === undefined) throw new Error(`meanings.ts has ${name}, which is no variable`);
  return `| \`${name}\` | ${shown ?? shownDefault(setting)} | ${setting.form} | ${means} |\n`;
}

function shownDefault({ name, fallback }: Setting): string {
  if (typeof fallback !== 'string' && typeof fallback !== 'number')
    throw new Error(`meanings.ts does not say what ${name} is by default`);
  return fallback === '' ? 'none' : `\`${fallback}\``;
}
