import type { AppAdditions } from '../http/app-additions.ts';
import type { Clock } from '../lib/clock.ts';

/** The additions of an extension to a server that it starts. */
export interface ServerAdditions extends AppAdditions {
  /** Default: the clock of the system. */
  readonly clock?: Clock;
}
