import { debuglog } from 'node:util';
import type { BrandportError } from '@brandport/client';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { Interrupted, OutputClosed } from './interrupted.ts';

export interface Failure {
  readonly exitCode: ExitCode;
  /** Lines for standard error; empty if there is nothing to say. */
  readonly message: string;
}

/** Turns what a command threw into its exit code and a message. `signal` is that of Ctrl-C. */
export function describeFailure(
  error: unknown,
  { signal, resumeSentence }: { readonly signal: AbortSignal; readonly resumeSentence: string },
): Failure {
  if (error instanceof OutputClosed) return { exitCode: exitCodes.done, message: '' };
  if (signal.aborted || error instanceof Interrupted)
    return { exitCode: exitCodes.interrupted, message: `Interrupted. ${resumeSentence}` };
  if (error instanceof CliError) return { exitCode: error.exitCode, message: `error: ${error.message}` };
  if (isServiceError(error)) return { exitCode: exitCodeOf(error), message: messageOf(error) };
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
  const lines = [`error: ${error.message} (${error.code})`];
  if ('errors' in error && typeof error.errors === 'object' && error.errors !== null)
    for (const [field, messages] of Object.entries(error.errors as Record<string, readonly string[]>))
      for (const message of messages) lines.push(`  ${field}: ${message}`);
  if (error.status === null && error.cause instanceof Error) lines.push(`  ${causeOf(error.cause)}`);
  if (error.docUrl !== null) lines.push(`  ${error.docUrl}`);
  if (error.requestId !== null) lines.push(`  request ${error.requestId}`);
  return lines.join('\n');
}

/** Returns the innermost message: `fetch` hides the reason of a failed connection in its cause. */
function causeOf(error: Error): string {
  if (error.cause instanceof Error) return causeOf(error.cause);
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : error.message;
}
