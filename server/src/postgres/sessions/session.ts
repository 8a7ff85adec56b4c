import type { ClientConfig } from 'pg';

/** The state that a connection gets before its first statement. */
export interface Session {
  /** Settings by name, for the whole session. From code only: the names and values become part of a statement. */
  readonly settings: Readonly<Record<string, string>>;
  /** True for connections that read only and accept rows of a moment ago. */
  readonly mayBeStandby?: boolean;
}

export interface SessionConfig extends ClientConfig {
  readonly session: Session;
}
