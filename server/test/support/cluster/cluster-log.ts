import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { clusterLogFile } from './cluster-place.ts';

/** Remembers how long the shared cluster's log is now; the returned function copies what was added since to `target`. */
export function followClusterLog(dir: string, target: string): () => void {
  const file = clusterLogFile(dir);
  const start = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return () => {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return;
    const content = readFileSync(file);
    // A cluster that was started in between began its log again.
    appendFileSync(target, content.subarray(content.length < start ? 0 : start));
  };
}
