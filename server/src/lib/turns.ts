const waiting: (() => void)[] = [];

/**
 * Waits for a turn at work that keeps the main thread busy for some milliseconds. Each round of the event loop gives one
 * turn, first come, first served: however many do such work at once, what others wait for is held up by one piece of it.
 */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
