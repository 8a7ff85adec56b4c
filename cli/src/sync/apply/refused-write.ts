import { BrandportError } from '@brandport/client';

/** Returns whether an error concerns one write only, and the others can go on. */
export function isOfOneWrite(error: unknown): error is BrandportError {
  return (
    error instanceof BrandportError && [400, 404, 409, 422].includes(error.status ?? 0) && !error.retryable
  );
}

/** Returns the code and message of an error, or its messages by field. */
export function describeRefusal(error: BrandportError): string {
  const { errors } = error as { errors?: Readonly<Record<string, readonly string[]>> };
  const texts = Object.entries(errors ?? {}).map(([field, messages]) => `${field} ${messages.join(', ')}`);
  return `${error.code}: ${texts.length === 0 ? error.message : texts.join('; ')}`;
}
