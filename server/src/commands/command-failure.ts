import { debuglog } from 'node:util';
import { StoreTrouble } from '../analytics/store/store-databases.ts';
import { BackupError } from '../backup/archive.ts';
import { ConfigError } from '../config.ts';
import { ApiError } from '../errors/api-error.ts';
import { type DatabaseTrouble, sqlState, troubleOf } from '../postgres/database-errors.ts';
import { DataDirInUseError, EmbeddedPostgresError } from '../postgres/embedded/data-dir.ts';
import { MigrationError } from '../postgres/schema/schema-files.ts';
import { StartError } from '../serve/lifetime.ts';

/** Errors whose message is a sentence for operators. */
const sentences = [
  ...[ConfigError, StartError, BackupError, EmbeddedPostgresError, DataDirInUseError, MigrationError],
  ...[StoreTrouble, AggregateError],
];

const troubleSentences: Readonly<Record<DatabaseTrouble, string>> = {
  unreachable: 'The database cannot be reached',
  disk_full: 'The disk of the database is full',
  read_only: 'The database is read-only',
  out_of_memory: 'The database is out of memory',
  no_turn: 'The database is overloaded',
  overloaded: 'The database is overloaded',
};

/**
 * Returns what a command prints when it fails: sentences, never a stack trace, since an operator can cause most failures and
 * can do nothing with frames [D145]. `NODE_DEBUG=brandport` adds the stack trace.
 */
export function describeCommandFailure(error: unknown): string {
  const { stack } = error as { stack?: unknown };
  const frames = debuglog('brandport').enabled && typeof stack === 'string' ? `\n${stack}` : '';
  return `${sentenceOf(error)}${frames}`;
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `Failed: ${String(error)}`;
  const { message } = error;
  if (sentences.some((type) => error instanceof type)) return message;
  if (error instanceof ApiError) return messageOfApiError(error);
  const trouble = troubleOf(error);
  if (trouble !== null) return `${troubleSentences[trouble]}: ${message}`;
  if (sqlState(error) !== null) return `The database refused a statement: ${message}`;
  // Errors of the operating system, such as a missing file.
  if ('syscall' in error) return message;
  return `Failed unexpectedly: ${message} (${error.name}). NODE_DEBUG=brandport shows the stack trace.`;
}

function messageOfApiError({ message, details }: ApiError): string {
  const fields = Object.entries(details.errors ?? {}).map(([name, texts]) => `${name} ${texts.join(', ')}.`);
  return fields.length > 0 ? fields.join('\n') : message;
}
