import { ApiError } from '../../errors/api-error.ts';

const charsetParameter = /;\s*charset\s*=\s*("?)([^";]*)\1/gi;
const utf8Name = /^utf-?8$/i;

/**
 * Checks the `charset` of a `Content-Type` header: bodies are always read as UTF-8 [platform-89].
 * @throws ApiError `unsupported_media_type` for a charset other than utf-8
 */
export function requireUtf8(contentType: string | undefined): void {
  for (const [, , name = ''] of (contentType ?? '').matchAll(charsetParameter))
    if (!utf8Name.test(name.trim()))
      throw new ApiError('unsupported_media_type', {
        message: 'The charset of the Content-Type must be utf-8 or absent.',
      });
}
