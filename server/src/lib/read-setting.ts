/**
 * Reads a variable of the environment: its value, or `fallback` if it is unset or empty.
 * @param form of its values, as in "must be …", which a value has for which `parse` returns undefined
 */
export type ReadSetting = <T>(
  name: string,
  fallback: T,
  form: string,
  parse: (text: string) => T | undefined,
) => T;
