/** Writes one line to the log of the process. */
export type Log = (level: 'info' | 'warn' | 'error', message: string) => void;
