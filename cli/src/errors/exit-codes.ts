/** The exit codes of all commands [D145]. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line is wrong: nothing was sent. */
  usage: 2,
  /** The input has problems: correct it. */
  input: 3,
  /** The service refused the key or the token, or its scopes. */
  refused: 4,
  /** A part was done. The same command does the rest. */
  partial: 5,
  /** With `--detailed-exitcode`: there are changes. */
  changes: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
