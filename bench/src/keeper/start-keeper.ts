import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type {
  Answer,
  FinishedProgram,
  Program,
  Request,
  StartedPostgres,
  StartedProgram,
} from './messages.ts';

const program = fileURLToPath(new URL('keep.ts', import.meta.url));

/** Starts processes that end with this one, even if it is killed. */
export interface Keeper {
  /** @throws Error when it does not start */
  startPostgres(dataDir: string): Promise<StartedPostgres>;
  /** @throws Error when it exits before it wrote a line */
  startProgram(program: Program): Promise<StartedProgram>;
  runProgram(program: Program): Promise<FinishedProgram>;
  /** Sends SIGTERM and waits for the end. */
  stopProgram(pid: number): Promise<void>;
  /** Removes the directory after everything has ended. */
  removeAtEnd(dir: string): Promise<void>;
  /** Ends everything and waits for it. */
  close(): Promise<void>;
}

export function startKeeper(): Keeper {
  const child = fork(program, { stdio: 'inherit' });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  child.on('message', (answer: Answer) => {
    const waiter = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) waiter?.reject(new Error(answer.error));
    else waiter?.resolve(answer.result);
  });
  void exit.then(() => {
    for (const waiter of waiting.values()) waiter.reject(new Error('the keeper of the benchmark has ended'));
  });
  let id = 0;
  const ask = async (request: RequestWithoutId): Promise<unknown> => {
    id += 1;
    const waiter = Promise.withResolvers<unknown>();
    waiting.set(id, waiter);
    child.send({ id, ...request } as Request, (error) => {
      if (error !== null) waiter.reject(error);
    });
    return waiter.promise;
  };
  return {
    startPostgres: async (dataDir) => (await ask({ do: 'start-postgres', dataDir })) as StartedPostgres,
    startProgram: async (each) => (await ask({ do: 'start-program', program: each })) as StartedProgram,
    runProgram: async (each) => (await ask({ do: 'run-program', program: each })) as FinishedProgram,
    stopProgram: async (pid) => void (await ask({ do: 'stop-program', pid })),
    removeAtEnd: async (dir) => void (await ask({ do: 'remove-at-end', dir })),
    close: async () => {
      if (child.connected) child.disconnect();
      await exit;
    },
  };
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
type RequestWithoutId = WithoutId<Request>;
