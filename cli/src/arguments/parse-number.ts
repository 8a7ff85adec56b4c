import { UsageError } from '../errors/cli-error.ts';

/** Reads an integer within limits. `name` is the option or argument, for the message. @throws UsageError */
export function parseInteger(
  text: string,
  name: string,
  { least = 0, most = 2_147_483_647 }: { readonly least?: number; readonly most?: number } = {},
): number {
  const value = /^-?[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new UsageError(`'${text}' is no value for ${name}: an integer from ${least} to ${most}.`);
  return value;
}
