const secretForm = /(tuk|bpa)_[0-9a-f]{24}\.|cfk_[A-Za-z0-9]{20}/i;

/** Returns whether a command line contains a key or token. */
export function hasSecret(args: readonly string[]): boolean {
  return args.some((arg) => secretForm.test(arg));
}

/** The sentence about a key in a command line. It does not repeat the key. */
export const secretInArguments =
  'error: a key or token is in the command line, where other users and the history of the shell can see it. Rotate it. ' +
  '`brandport login` and `brandport keys leak` read standard input.';
