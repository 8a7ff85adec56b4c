import type { EmbeddedPostgres } from '../../../server/src/postgres/embedded/embedded-postgres.ts';

/** A request of the benchmark to its keeper. The answer has the same id. */
export type Request = { readonly id: number } & (
  | { readonly do: 'start-postgres'; readonly dataDir: string }
  | { readonly do: 'start-program'; readonly program: Program }
  | { readonly do: 'run-program'; readonly program: Program }
  | { readonly do: 'stop-program'; readonly pid: number }
  /** Remove the directory when everything has ended. */
  | { readonly do: 'remove-at-end'; readonly dir: string }
);

/** A Node program. */
export interface Program {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Passes its standard error on. */
  readonly showErrors: boolean;
}

export interface StartedPostgres {
  readonly connection: EmbeddedPostgres['connection'];
  readonly pid: number;
}

export interface StartedProgram {
  readonly pid: number;
  /** The first line of its standard output. */
  readonly line: string;
}

export interface FinishedProgram {
  readonly code: number | null;
  readonly output: string;
}

export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };
