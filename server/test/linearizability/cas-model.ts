import type { SequentialModel } from './operation.ts';

/** A request to a compare-and-set register of integers, for tests of the checker. */
export type CasCall =
  | { readonly kind: 'write'; readonly value: number }
  | { readonly kind: 'read'; readonly value: number }
  /** `current`: the value that a failed one reports; `null`: it succeeded. */
  | {
      readonly kind: 'cas';
      readonly expected: number;
      readonly value: number;
      readonly current: number | null;
    }
  /** A write whose response was lost: it may have taken effect or not. */
  | { readonly kind: 'lost_write'; readonly value: number };

export const casModel: SequentialModel<number, CasCall> = {
  initial: 0,
  keyOf: String,
  next(state, call) {
    switch (call.kind) {
      case 'write':
        return [call.value];
      case 'read':
        return call.value === state ? [state] : [];
      case 'cas':
        if (call.current === null) return call.expected === state ? [call.value] : [];
        return call.current === state && call.expected !== state ? [state] : [];
      case 'lost_write':
        return [call.value, state];
    }
  },
};
