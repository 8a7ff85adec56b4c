import type { CursorCodec } from './cursor-codec.ts';
import type { AnalyticsStore } from './store/analytics-store.ts';

// The context is declared by the operation kit, which knows no feature; this domain adds what is its own.
declare module '../api/operation.ts' {
  interface ServiceContext {
    /** Raw learning events and the datasets made of them; may be away while the main database is there. */
    readonly analytics: AnalyticsStore;
    /** Reads and writes the cursors of the analytics lists. */
    readonly analyticsCursors: CursorCodec;
  }
}
