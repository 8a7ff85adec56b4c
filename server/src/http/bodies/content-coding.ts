import { ApiError } from '../../errors/api-error.ts';

export type ContentCoding = 'identity' | 'gzip';

/**
 * The coding of a request body [platform-30]; `x-gzip` is gzip.
 * @throws ApiError `unsupported_media_type` for any other coding, for several, and for gzip where it is not accepted
 */
export function contentCodingOf(header: string | undefined, acceptsGzip: boolean): ContentCoding {
  if (header === undefined) return 'identity';
  const codings = header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0) return 'identity';
  if (acceptsGzip && codings.length === 1 && (codings[0] === 'gzip' || codings[0] === 'x-gzip'))
    return 'gzip';
  throw new ApiError('unsupported_media_type', {
    message: acceptsGzip
      ? 'The Content-Encoding must be gzip or absent.'
      : 'This endpoint does not support Content-Encoding.',
    // RFC 9110, 15.5.16.
    headers: { 'accept-encoding': acceptsGzip ? 'gzip' : 'identity' },
  });
}

const charsetParameter = /;\s*charset\s*=\s*("?)([^";]*)\1/gi;
const utf8Name = /^utf-?8$/i;

/** Bodies are always read as UTF-8 [platform-89]. @throws ApiError `unsupported_media_type` for a charset other than utf-8 */
export function requireUtf8(contentType: string | undefined): void {
  for (const [, , name = ''] of (contentType ?? '').matchAll(charsetParameter))
    if (!utf8Name.test(name.trim()))
      throw new ApiError('unsupported_media_type', {
        message: 'The charset of the Content-Type must be utf-8 or absent.',
      });
}
