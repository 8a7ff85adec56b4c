import { UsageError } from '../errors/cli-error.ts';

/** Reads the id of a brand; undefined stays undefined. @throws UsageError */
export function parseBrandId(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9][0-9]{0,14}$/.test(text))
    throw new UsageError(`'${text}' is not the id of a brand, such as 1.`);
  return Number(text);
}
