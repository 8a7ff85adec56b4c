import type { CreateEngine } from '../analytics/store/engine.ts';
import type { Config } from '../config.ts';
import type { ExamineAnalytics } from '../doctor/examine-analytics.ts';
import type { AppAdditions } from '../http/create-app.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import type { Database } from '../postgres/database.ts';
import type { DemoBrand } from './demo-brand.ts';
import type { Secret } from './kept-secrets.ts';

/** An extension that keeps events and datasets outside of PostgreSQL [D230], which coordinates them [D193]. */
export interface EngineExtension {
  /** Creates the engine of a server's or command's store, which connects on first use. */
  readonly createEngine: CreateEngine;
  /** Opens the engine for a command whose statements may take hours, without asking it anything. */
  open(): OpenEngine;
  /**
   * Copies the events and datasets of a store in PostgreSQL to the engine; the last commit moves the store.
   * @throws StoreMismatch if the store is in an engine already, in use, or the counts differ
   */
  copyFromPostgres(options: CopyOptions): Promise<CopiedRows>;
}

export interface OpenEngine {
  /** @throws StoreMismatch unless it has the events of the store, whose PostgreSQL is given */
  requireOwn(store: Database): Promise<void>;
  /** The store as the doctor sees it. */
  examined(store: Database): ExamineAnalytics;
  close(): Promise<void>;
}

export interface CopyOptions {
  readonly address: DatabaseAddress;
  /** Receives each finished month of a table, such as `2026-03`. */
  readonly onCopied: (table: string, month: string, rows: number) => void;
  readonly signal: AbortSignal;
}

export type CopiedRows = Readonly<Record<string, number>>;

/** The additions of an extension to a server that it starts. */
export interface ServerAdditions extends AppAdditions {
  /** Default: the clock of the system. */
  readonly clock?: Clock;
}

export interface StartedServer {
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly adminToken: Secret;
  /** Set if this start created the demonstration brand. */
  readonly demo: DemoBrand | null;
  /** Stops accepting requests, finishes those in flight (`graceMs` at most), then closes everything. */
  stop(graceMs: number): Promise<void>;
}

/** The parts of the process that a command of an extension may use, as `commands/command.ts` describes them. */
interface ExtensionProcess {
  readonly config: Config;
  readonly log: Log;
  readonly cancelled: AbortSignal;
  startServer(config: Config, cancelled: AbortSignal, additions: ServerAdditions): Promise<StartedServer>;
  write(text: string): void;
  tell(text: string): void;
}

/** Runs the command with its options, and returns the exit code. */
export type RunExtension = (
  process: ExtensionProcess,
  options: Readonly<Record<string, string | boolean>>,
) => Promise<number>;

/** A command of an extension, which is loaded when the command runs. */
export interface ExtensionCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly (readonly [flags: string, description: string])[];
  readonly load: () => Promise<RunExtension>;
}
