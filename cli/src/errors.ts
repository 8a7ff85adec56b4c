import { debuglog } from 'node:util';
import type { BrandportError } from '@brandport/client';
import { jsonForTerminal } from './output/visible-text.ts';

/** Ends a command with a sentence for its user and an exit code. The message holds no key and no token. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A mistake in the command line: exit code 2. */
export class UsageError extends CliError {
  override readonly name: string = 'UsageError';

  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

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

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The reason of the signal that Ctrl-C aborts. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor() {
    super('Interrupted.');
  }
}

/** The reader of standard output has gone, such as `head`: the rest of the output is not needed. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';

  constructor() {
    super('The output was closed.');
  }
}

/** Standard output cannot be written, such as on a full disk: what was written is not complete. */
export class OutputFailed extends CliError {
  override readonly name = 'OutputFailed';

  constructor({ message }: Error) {
    super(`Standard output cannot be written: ${message}. The output is not complete.`);
  }
}

/** A file that cannot be read, or one whose content cannot be sent: exit code 3. */
export class InputError extends CliError {
  override readonly name = 'InputError';

  constructor(message: string) {
    super(message, exitCodes.input);
  }

  /** Describes the failure of reading a file. */
  static of(path: string, error: unknown): InputError {
    if (error instanceof InputError) return error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'does not exist',
      EACCES: 'may not be read by this user',
      EISDIR: 'is a directory',
    };
    const reason = reasons[code ?? ''];
    return new InputError(
      reason === undefined ? `${path}: ${message ?? String(error)}` : `${path} ${reason}.`,
    );
  }
}

interface Failure {
  readonly exitCode: ExitCode;
  /** Lines for standard error; empty if there is nothing to say. */
  readonly message: string;
}

interface FailedRun {
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly resumeSentence: string;
  /** A long command that the service has answered: a part may be done. */
  readonly isUnderWay?: boolean;
  /** `--json`: the message is one JSON document. */
  readonly isJson?: boolean;
}

/** Turns what a command threw into its exit code and a message. */
export function describeFailure(error: unknown, run: FailedRun): Failure {
  const { exitCode, message } = textFailure(error, run);
  if (run.isJson !== true || message === '') return { exitCode, message };
  return { exitCode, message: jsonFailure(error, { exitCode, message }, partOf(error, run)) };
}

/** Writes a failure as a JSON document in one line, with the fields of the service's error. */
export function jsonFailure(error: unknown, { exitCode, message }: Failure, part = ''): string {
  const common = { exit_code: exitCode, message: message.replace(/^error: /, '') };
  if (!isServiceError(error)) return jsonForTerminal({ error: common });
  const { code, status, requestId: request_id, docUrl: doc_url } = error;
  const errors = 'errors' in error ? error.errors : undefined;
  return jsonForTerminal({
    error: {
      ...common,
      message: `${error.message} ${part}`.trimEnd(),
      code,
      status,
      request_id,
      doc_url,
      errors,
    },
  });
}

/** Returns how far a long command came that an outage or a refused key has ended; otherwise ''. */
function partOf(error: unknown, { isUnderWay = false, resumeSentence }: FailedRun): string {
  if (!isUnderWay) return '';
  const isRefused = isServiceError(error) && exitCodeOf(error) === exitCodes.refused;
  return isRetryable(error) || isRefused ? resumeSentence : '';
}

function isRetryable(error: unknown): boolean {
  return (error as { retryable?: unknown } | null)?.retryable === true;
}

function textFailure(error: unknown, run: FailedRun): Failure {
  const { signal, resumeSentence } = run;
  if (error instanceof OutputClosed) return { exitCode: exitCodes.done, message: '' };
  if (signal.aborted || error instanceof Interrupted)
    return { exitCode: exitCodes.interrupted, message: `Interrupted. ${resumeSentence}` };
  const part = partOf(error, run);
  const end = part === '' ? '' : `\n${part}`;
  if (error instanceof CliError)
    return { exitCode: error.exitCode, message: `error: ${error.message}${end}` };
  if (isServiceError(error)) {
    const exitCode = part !== '' && error.retryable ? exitCodes.partial : exitCodeOf(error);
    return { exitCode, message: `${messageOf(error)}${end}` };
  }
  return { exitCode: exitCodes.failed, message: `error: ${textOf(error)}` };
}

/** Never a stack trace, which says nothing to a user, unless `NODE_DEBUG=brandport` asks for it. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return debuglog('brandport').enabled ? (error.stack ?? error.message) : error.message;
}

/** The SDK is loaded by the commands that need it, so its class is not imported here. */
function isServiceError(error: unknown): error is BrandportError {
  return error instanceof Error && 'code' in error && 'retryable' in error && 'requestId' in error;
}

/** The codes of errors about the content of a request. */
const inputCodes: ReadonlySet<string> = new Set(['validation_failed', 'csv_invalid', 'malformed_request']);

function exitCodeOf({ status, code }: BrandportError): ExitCode {
  if (status === 401 || status === 403) return exitCodes.refused;
  if (inputCodes.has(code) || status === 400 || status === 413 || status === 422) return exitCodes.input;
  return exitCodes.failed;
}

function messageOf(error: BrandportError): string {
  const lines = [`error: ${withoutFields(error)} (${error.code})`];
  if ('errors' in error && typeof error.errors === 'object' && error.errors !== null)
    for (const [field, messages] of Object.entries(error.errors as Record<string, readonly string[]>))
      for (const message of messages) lines.push(`  ${field}: ${message}`);
  const cause = error.status === null && error.cause instanceof Error ? causeOf(error.cause) : '';
  // A connection that was refused is named with its address; `fetch` has no more to say of a port that it blocks.
  if (cause !== '' && cause !== 'bad port' && !error.message.includes(cause)) lines.push(`  ${cause}`);
  if (error.docUrl !== null) lines.push(`  ${error.docUrl}`);
  if (error.requestId !== null) lines.push(`  request ${error.requestId}`);
  return lines.join('\n');
}

/** The message of the service: the fields follow, each in a line. */
function withoutFields({ body, message }: BrandportError): string {
  const sent = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof sent === 'string' ? sent : message;
}

/** Returns the innermost message: `fetch` hides the reason of a failed connection in its cause. */
function causeOf(error: Error): string {
  if (error.cause instanceof Error) return causeOf(error.cause);
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : error.message;
}
