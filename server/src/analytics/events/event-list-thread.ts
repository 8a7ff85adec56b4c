import { parentPort, workerData } from 'node:worker_threads';
import { parseEventList } from './event-bodies.ts';

// The thread behind `readEventList` of the operation: parses one body, and exits.

parentPort?.postMessage(parseEventList(workerData as Uint8Array));
