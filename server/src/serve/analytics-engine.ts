import type { CreateEngine } from '../analytics/store/engine.ts';
import type { ExamineAnalytics } from '../doctor/examine-analytics.ts';
import type { DatabaseAddress } from '../postgres/connection-options.ts';
import type { Database } from '../postgres/database.ts';

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
