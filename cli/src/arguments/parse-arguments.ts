import { InvalidArgumentError } from 'commander';
import { UsageError } from '../errors/cli-error.ts';

/** Reads an integer within limits. `name` is the option or argument, for the message. @throws UsageError */
export function parseInteger(
  text: string,
  name: string,
  { least = 0, most = 2_147_483_647 }: { readonly least?: number; readonly most?: number } = {},
): number {
  const value = /^-?[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new UsageError(`${name} must be an integer from ${least} to ${most}, not '${text}'.`);
  return value;
}

/** Reads the seconds of an option. @throws InvalidArgumentError */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new InvalidArgumentError('It is not a number of seconds.');
  return seconds;
}

/** Reads the id of a brand; undefined stays undefined. @throws UsageError */
export function parseBrandId(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,14}$/.test(text))
    throw new UsageError(`'${text}' is not the id of a brand, such as 1.`);
  return Number(text);
}
