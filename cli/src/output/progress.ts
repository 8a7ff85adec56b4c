import type { SingleBar } from 'cli-progress';

/** The progress of work. Shows nothing unless standard error is a terminal. */
export interface Progress {
  /** Shows the bar. @param done all that is done so far */
  update(done: number, total: number): void;
  /** Removes the bar. Stopping twice changes nothing. */
  stop(): void;
}

export const silentProgress: Progress = { update: () => {}, stop: () => {} };

/** Prepares a bar, which appears with its first update. */
export function createProgress(stream: NodeJS.WritableStream, label: string): Progress {
  let loading: Promise<SingleBar> | null = null;
  let bar: SingleBar | null = null;
  let isStopped = false;
  return {
    update: (done, total) => {
      loading ??= loadBar(stream, label);
      void loading.then((loaded) => {
        if (isStopped) return;
        if (bar === null) loaded.start(total, done);
        bar = loaded;
        bar.update(done);
      });
    },
    stop: () => {
      isStopped = true;
      bar?.stop();
    },
  };
}

async function loadBar(stream: NodeJS.WritableStream, label: string): Promise<SingleBar> {
  const { default: bars } = await import('cli-progress');
  return new bars.SingleBar({
    stream,
    format: `${label} {bar} {value}/{total} {eta_formatted}`,
    barCompleteChar: '#',
    barIncompleteChar: '.',
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false,
  });
}
