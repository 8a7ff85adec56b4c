import type { SingleBar } from 'cli-progress';
import { duration, number } from './quantity.ts';

/** The progress of long work on standard error: a bar on a terminal, otherwise a line a minute. */
export interface Progress {
  /**
   * @param done all that is done so far
   * @param secondsLeft the time that the rest takes; default: as the work so far, once it has taken a minute
   */
  update(done: number, total: number, secondsLeft?: number): void;
  /** Removes the bar. Stopping twice changes nothing. */
  stop(): void;
}

export const silentProgress: Progress = { update: () => {}, stop: () => {} };

const minuteMs = 60_000;

/** The state of the work. The first update begins it. */
class Work {
  #first = 0;
  #startedAt: number | null = null;
  #secondsLeft: number | undefined;
  done = 0;
  total = 0;

  see(done: number, total: number, secondsLeft: number | undefined): void {
    if (this.#startedAt === null) [this.#startedAt, this.#first] = [performance.now(), done];
    [this.done, this.total, this.#secondsLeft] = [done, total, secondsLeft];
  }

  /** Returns `, about 3 min left`; empty while nobody can know. */
  timeLeft(): string {
    const seconds = this.#secondsLeft ?? this.#extrapolated();
    return seconds === undefined || this.done >= this.total ? '' : `, ${duration(seconds)} left`;
  }

  /** The pauses of a limit last up to a minute: a shorter time says nothing. */
  #extrapolated(): number | undefined {
    const elapsedMs = performance.now() - (this.#startedAt ?? 0);
    const more = this.done - this.#first;
    return more === 0 || elapsedMs < minuteMs
      ? undefined
      : (elapsedMs / 1_000 / more) * (this.total - this.done);
  }
}

/** Prepares a progress, which appears with its first update. */
export function createProgress(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
  label: string,
): Progress {
  return stream.isTTY === true ? barOf(stream, label) : linesOf(stream, label);
}

function linesOf(stream: NodeJS.WritableStream, label: string): Progress {
  const work = new Work();
  let timer: ReturnType<typeof setInterval> | null = null;
  const write = () =>
    stream.write(`${label}: ${number.format(work.done)} of ${number.format(work.total)}${work.timeLeft()}\n`);
  return {
    update: (done, total, secondsLeft) => {
      work.see(done, total, secondsLeft);
      timer ??= setInterval(write, minuteMs).unref();
    },
    stop: () => clearInterval(timer ?? undefined),
  };
}

function barOf(stream: NodeJS.WritableStream, label: string): Progress {
  const work = new Work();
  let loading: Promise<SingleBar> | null = null;
  let bar: SingleBar | null = null;
  let isStopped = false;
  return {
    update: (done, total, secondsLeft) => {
      work.see(done, total, secondsLeft);
      loading ??= loadBar(stream, label);
      void loading.then((loaded) => {
        if (isStopped) return;
        if (bar === null) loaded.start(work.total, work.done);
        bar = loaded;
        bar.update(work.done, { left: work.timeLeft() });
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
    format: `${label} {bar} {value}/{total}{left}`,
    barCompleteChar: '#',
    barIncompleteChar: '.',
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false,
  });
}
