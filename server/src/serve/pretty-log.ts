import type pino from 'pino';

/**
 * Returns a destination that writes each line in a form for people: time, level and message, then the rest, in colour on a
 * terminal. Loads `pino-pretty`, so only for `LOG_FORMAT=pretty`.
 */
export async function prettyLog(
  destination: pino.DestinationStream,
  isTerminal: boolean,
): Promise<pino.DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({
    colorize: isTerminal,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return { write: (line) => destination.write(format(line)) };
}
