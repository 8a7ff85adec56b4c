import { operationKit, type ServiceContext } from '../api/operation.ts';
import type { CursorCodec } from './datasets/walk.ts';
import type { EventsTaken } from './events/sent-event.ts';
import type { ShownDirectory } from './shown-directory.ts';
import type { AnalyticsStore } from './store/analytics-store.ts';

/** The parts of the running server that handlers and jobs of analytics may use. */
export interface AnalyticsContext extends ServiceContext {
  /** Raw learning events and the datasets derived from them; may be unavailable while the main database is not. */
  readonly analytics: AnalyticsStore;
  readonly analyticsCursors: CursorCodec;
  /** The learners and contents that rows show. One per process. */
  readonly shownDirectory: ShownDirectory;
  /** Receives the outcome of every request that sent events, for the metrics. */
  readonly onIntake?: (intake: EventsTaken) => void;
  /** Receives the number of new events in each batch that was stored, also of requests that are interrupted later. */
  readonly onEventsStored?: (brandId: number, events: number) => void;
}

/** The functions of `api/operation.ts` for handlers that use the analytics store. */
export const { readOperation, unmanagedOperation, writeOperation, longWriteOperation, streamOperation } =
  operationKit<AnalyticsContext>();
