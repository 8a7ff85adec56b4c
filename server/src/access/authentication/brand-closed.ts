import { ApiError } from '../../errors/api-error.ts';

/** The response to every request of a brand that is on its way to another cell [D202]; its next request may be served there. */
export function brandClosed(): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The brand is being moved and is unavailable for a short time.',
    headers: { 'retry-after': '5' },
  });
}
