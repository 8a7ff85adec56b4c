/** The browser draws and answers at least this often, in milliseconds, while something long runs. */
const taskMs = 40;

/**
 * Returns a function for the steps of long work. It resolves at once while the task is short, and else after the browser has
 * had its turn. It rejects once the signal is aborted.
 */
export function pacer(signal?: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < taskMs) return;
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    since = performance.now();
  };
}

const pieceLength = 1024;

/** Yields a long text in pieces, with turns for the browser between them. `onRead` receives the characters that were read. */
export async function* inPieces(
  text: string,
  { signal, onRead }: { readonly signal?: AbortSignal; readonly onRead?: (characters: number) => void } = {},
): AsyncGenerator<string> {
  const pace = pacer(signal);
  for (let from = 0; from < text.length; from += pieceLength) {
    yield text.slice(from, from + pieceLength);
    await pace();
    onRead?.(Math.min(from + pieceLength, text.length));
  }
}
