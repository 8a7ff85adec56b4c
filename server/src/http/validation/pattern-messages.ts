/**
 * The messages for values that do not match the pattern of their schema. A client cannot be expected to read a regular expression
 * [platform-18]. A test finds patterns of the published documents that are missing here.
 */
const messages: Readonly<Record<string, string>> = {
  '^[\\x21-\\x7e]+$': 'must contain only visible ASCII characters, without spaces',
  '^[A-Za-z0-9_-]{21}$': 'must be 21 characters of A-Z, a-z, 0-9, "_" and "-"',
  '^[A-Za-z0-9_-]{1,64}$': 'must be 1 to 64 characters of A-Z, a-z, 0-9, "_" and "-"',
  '^[A-Za-z0-9._-]{1,128}$': 'must be 1 to 128 characters of A-Z, a-z, 0-9, ".", "_" and "-"',
  '^[a-zA-Z0-9._-]+$': 'must contain only A-Z, a-z, 0-9, ".", "_" and "-"',
  '^[A-Za-z0-9._~-]+$': 'must contain only A-Z, a-z, 0-9, ".", "_", "~" and "-"',
  '^[a-z_]{1,32}$': 'must be 1 to 32 characters of a-z and "_"',
  '^[0-9]{1,15}-[0-9]{1,9}$': 'must be a value that a response had in `refused_next`',
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$': 'must be a UUID',
  '^[1-9][0-9]{0,14}$': 'must be a positive whole number',
};

/** Returns the message for a value that does not match; undefined for a pattern that is not published. */
export function findPatternMessage(pattern: string): string | undefined {
  return messages[pattern];
}
