/** The progress of work with a known total. Does nothing unless standard error is a terminal. */
export interface Progress {
  advance(by?: number): void;
  /** Removes the bar. Stopping twice changes nothing. */
  stop(): void;
}

export const silentProgress: Progress = { advance: () => {}, stop: () => {} };

/** Starts a bar. `total` is a number of items. */
export async function createProgress(
  stream: NodeJS.WritableStream,
  label: string,
  total: number,
): Promise<Progress> {
  const { default: bars } = await import('cli-progress');
  const bar = new bars.SingleBar({
    stream,
    format: `${label} {bar} {value}/{total} {eta_formatted}`,
    barCompleteChar: '#',
    barIncompleteChar: '.',
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false,
  });
  bar.start(total, 0);
  return { advance: (by = 1) => bar.increment(by), stop: () => bar.stop() };
}
