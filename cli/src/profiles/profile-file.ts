import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { CliError } from '../errors/cli-error.ts';
import { parsedJson } from '../input/parsed-json.ts';
import { writeDurably } from '../input/write-durably.ts';
import type { Profiles } from './profile.ts';

/** The file of the profiles. It holds secrets, so it is refused when others can read it. */
export class ProfileFile {
  readonly path: string;

  constructor(env: Readonly<Record<string, string | undefined>>, home: string) {
    const config = env['XDG_CONFIG_HOME'];
    // A relative path is invalid by the XDG specification and ignored.
    const base = config?.startsWith('/') === true ? config : join(home, '.config');
    this.path = join(base, 'brandport', 'profiles.json');
  }

  /** Returns the profiles; none if there is no file. @throws CliError for a file that others can read or that is damaged */
  read(): Profiles {
    const text = this.#readText();
    if (text === null) return { default: null, profiles: {} };
    const value = parsedJson(text);
    if (!isProfiles(value)) throw new CliError(`${this.path} is damaged. Remove it and log in again.`);
    return value;
  }

  /** Replaces the profiles by what `change` makes of the current ones. A crash leaves the old file or the new one. */
  update(change: (profiles: Profiles) => Profiles): void {
    writeDurably(this.path, `${JSON.stringify(change(this.read()), null, 2)}\n`);
  }

  #readText(): string | null {
    let file: number;
    try {
      file = openSync(this.path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new CliError(`${this.path} cannot be read: ${(error as Error).message}.`);
    }
    try {
      const { mode } = fstatSync(file);
      if (process.platform !== 'win32' && (mode & 0o077) !== 0)
        throw new CliError(
          `${this.path} holds secrets, and others can read it (mode 0${(mode & 0o777).toString(8)}). ` +
            `Run: chmod 600 ${this.path}, and rotate its keys if others have had access.`,
        );
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  }
}

function isProfiles(value: unknown): value is Profiles {
  if (typeof value !== 'object' || value === null || !('profiles' in value)) return false;
  const { profiles } = value;
  return typeof profiles === 'object' && profiles !== null && !Array.isArray(profiles);
}
