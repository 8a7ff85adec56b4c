import { UsageError } from '../errors/cli-error.ts';

/** Checks the name of a profile. @throws UsageError */
export function checkedProfileName(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
    throw new UsageError(
      `'${name}' is not the name of a profile: 1 to 64 letters, digits, '.', '_' and '-', beginning with a letter or digit.`,
    );
  return name;
}
