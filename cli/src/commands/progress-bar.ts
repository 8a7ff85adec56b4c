import type { CliContext } from '../context/cli-context.ts';
import type { Progress } from '../output/progress.ts';

/** A bar whose total is known only when the work has begun. */
export interface ProgressBar {
  /** @param done all that is done so far */
  update(done: number, total: number): void;
  stop(): void;
}

export function progressBar(context: Pick<CliContext, 'progress'>, label: string): ProgressBar {
  let bar: Promise<Progress> | null = null;
  let shown = 0;
  return {
    update: (done, total) => {
      bar ??= context.progress(label, total);
      const by = done - shown;
      shown = done;
      void bar.then((started) => started.advance(by));
    },
    stop: () => void bar?.then((started) => started.stop()),
  };
}
