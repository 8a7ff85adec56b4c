/** An error of the engine or of the interface, with ClickHouse's code and text. */
export class EngineException extends Error {
  readonly code: number;

  /** @param text `Code: 60. DB::Exception: … (UNKNOWN_TABLE)` */
  constructor(text: string) {
    super(text);
    this.code = Number(/^Code: (\d+)\./.exec(text)?.[1] ?? 1002);
  }
}

/** Returns the exception of an error that the addon threw. */
export function toEngineException(error: unknown): EngineException {
  if (error instanceof EngineException) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new EngineException(
    text.startsWith('Code: ') ? text : `Code: 1002. DB::Exception: ${text}. (UNKNOWN_EXCEPTION)`,
  );
}

/** Returns the block with which the server ends a response that fails after its status was sent (since 25.11). */
export function exceptionBlock(text: string, tag: string): string {
  const message = `${text}\n`;
  return `\r\n__exception__\r\n${tag}\r\n${message}${Buffer.byteLength(message)} ${tag}\r\n__exception__\r\n`;
}
