import { queryClient } from './query-client.ts';

/** Without any input for this long, a page rests. */
const attentiveMs = 10 * 60_000;
/** A page that rests is read this often at most. */
const restingMs = 60_000;

let lastInput = performance.now();

function isResting(): boolean {
  return performance.now() - lastInput > attentiveMs;
}

/** Listens to input [D178]. The first one after a rest reads everything on screen again. */
export function watchAttention(): void {
  const onInput = () => {
    const hasRested = isResting();
    lastInput = performance.now();
    if (hasRested) void queryClient.invalidateQueries();
  };
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel'])
    addEventListener(type, onInput, { capture: true, passive: true });
}

/** Returns the interval at which a page is read again: the given one, or a longer one while nobody uses the page. */
export function pollInterval(refreshMs: number): number {
  return isResting() ? Math.max(refreshMs, restingMs) : refreshMs;
}
