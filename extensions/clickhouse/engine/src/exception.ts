/** An error of the engine or of the interface, with ClickHouse's code and text. */
export class EngineException extends Error {
  readonly code: number;

  /** @param text `Code: 60. DB::Exception: … (UNKNOWN_TABLE)` */
  constructor(text: string) {
    super(text);
    this.code = Number(/^Code: (\d+)\./.exec(text)?.[1] ?? 1002);
  }
}

/** Returns an exception as the HTTP interface itself throws it. */
export function interfaceException(code: number, name: string, message: string): EngineException {
  return new EngineException(`Code: ${code}. DB::Exception: ${message}. (${name})`);
}

/** Returns the exception of an error that the addon threw. */
export function toEngineException(error: unknown): EngineException {
  if (error instanceof EngineException) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new EngineException(
    text.startsWith('Code: ') ? text : `Code: 1002. DB::Exception: ${text}. (UNKNOWN_EXCEPTION)`,
  );
}

/** The HTTP statuses that the server gives to codes of exceptions; to all others it gives 500. */
const statuses: readonly (readonly [status: number, codes: readonly number[]])[] = [
  [400, [6, 8, 15, 25, 26, 27, 36, 38, 41, 44, 53, 62, 69, 70, 72, 117, 167, 168, 321, 427]],
  [401, [194]],
  [403, [192, 193, 497, 512, 516]],
  [404, [46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 336, 511]],
  [408, [159]],
  [413, [229]],
  [501, [48]],
  [503, [76, 209, 439]],
];

export function httpStatusOf(exception: EngineException): number {
  return statuses.find(([, codes]) => codes.includes(exception.code))?.[0] ?? 500;
}

/** Returns the block with which the server ends a response that fails after its status was sent (since 25.11). */
export function exceptionBlock(text: string, tag: string): string {
  const message = `${text}\n`;
  return `\r\n__exception__\r\n${tag}\r\n${message}${Buffer.byteLength(message)} ${tag}\r\n__exception__\r\n`;
}
