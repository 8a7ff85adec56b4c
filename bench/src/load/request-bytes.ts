import { Buffer } from 'node:buffer';
import { type LoadRequest, numberPlace } from './load-spec.ts';

/** Returns what to write for the request with this number. */
export type RequestBytes = (number: number) => Buffer | string;

/**
 * Prepares a request once, so that sending it costs one write: constant bytes, or pieces to join around the number.
 * `host` is the value of the Host header.
 */
export function requestBytes(
  { method = 'GET', path, headers = {}, body }: LoadRequest,
  host: string,
): RequestBytes {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  const head = lines.join('\r\n');
  if (body === undefined) return joined(`${head}\r\n\r\n`);
  // The length depends on the digits of the number.
  const holes = body.split(numberPlace).length - 1;
  const fixed = Buffer.byteLength(body) - holes * numberPlace.length;
  const withLength = (length: number) => `${head}\r\ncontent-length: ${length}\r\n\r\n${body}`;
  if (holes === 0) return joined(withLength(fixed));
  const byDigits = new Map<number, RequestBytes>();
  return (number) => {
    const digits = String(number).length;
    let bytes = byDigits.get(digits);
    if (bytes === undefined) {
      bytes = joined(withLength(fixed + holes * digits));
      byDigits.set(digits, bytes);
    }
    return bytes(number);
  };
}

function joined(text: string): RequestBytes {
  const pieces = text.split(numberPlace);
  if (pieces.length === 1) {
    const bytes = Buffer.from(text);
    return () => bytes;
  }
  return (number) => pieces.join(String(number));
}
