import type { Config } from '../config.ts';
import type { AppAdditions } from '../http/create-app.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { DemoBrand } from './demo-brand.ts';
import type { Secret } from './secrets.ts';

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
export interface ExtensionProcess {
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
