import { parentPort, workerData } from 'node:worker_threads';
import { NoiseTools, type Noisy } from './noise.ts';
import { noises } from './noises.ts';

// In a thread, so that the noise does not take the time of the process that measures.
const { name, noisy } = workerData as { name: string; noisy: Noisy };
const stop = new AbortController();
parentPort?.once('message', () => stop.abort());
const tools = new NoiseTools(noisy, stop.signal);
await noises[name]?.run(tools);
parentPort?.postMessage(Object.fromEntries(tools.answers));
parentPort?.close();
