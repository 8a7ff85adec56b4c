import type { Exchange } from './exchange.ts';
import type { Mistake } from './mistake.ts';
import { missedPages, polledEverything } from './mistakes/read-mistakes.ts';
import { gaveUp, ignoredRetryAfter, retriedUnderNewKey } from './mistakes/retry-mistakes.ts';
import {
  neverReadFeedReport,
  sentNoisyPrices,
  sentUnknownNames,
  tookConflictForSuccess,
  wroteWithoutKey,
} from './mistakes/write-mistakes.ts';

/** A mistake of a program, named by its key. */
export interface Finding {
  readonly mistake: string;
  readonly keyId: string;
  readonly text: string;
  readonly count: number;
  /** The first of them. */
  readonly requestIds: readonly string[];
  readonly guide: string;
}

const shownRequests = 10;

const mistakes: readonly Mistake[] = [
  retriedUnderNewKey,
  wroteWithoutKey,
  ignoredRetryAfter,
  gaveUp,
  tookConflictForSuccess,
  polledEverything,
  missedPages,
  sentUnknownNames,
  sentNoisyPrices,
  neverReadFeedReport,
];

/** Finds the mistakes of each key, the gravest first [D282]. */
export function examine(exchanges: readonly Exchange[]): Finding[] {
  const byKey = Map.groupBy(
    exchanges.toSorted((a, b) => a.startedAt - b.startedAt),
    ({ keyId }) => keyId,
  );
  return [...byKey].flatMap(([keyId, ofKey]) =>
    mistakes.flatMap(({ name, guide, find }) => {
      const found = find(ofKey);
      if (found === null) return [];
      const { text, requestIds } = found;
      return [
        {
          mistake: name,
          keyId,
          text,
          guide,
          count: requestIds.length,
          requestIds: requestIds.slice(0, shownRequests),
        },
      ];
    }),
  );
}
