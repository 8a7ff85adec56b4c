import { errorCatalogue } from '../../errors/error-catalogue.ts';

/** The parts of the OpenAPI document that every operation refers to. */

export const errorSchema = {
  type: 'object',
  description: 'Branch on `code`, never on `message`. Further keys may appear.',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', enum: Object.keys(errorCatalogue) },
    message: { type: 'string', description: 'For people.' },
    errors: {
      type: 'object',
      description: 'Only with `validation_failed`: messages by field, at most 100 fields.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
};

export const standardHeaders = {
  'X-Request-Id': {
    description: 'Your own `X-Request-Id`, or a new one. Quote it when you report a problem.',
    schema: { type: 'string' },
  },
};

export const rateLimitHeaders = {
  'X-RateLimit-Limit': {
    description: 'Requests per minute of the bucket that has the fewest left.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': { description: 'Requests left in that bucket.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'When that bucket is full again, Unix epoch seconds.',
    schema: { type: 'integer' },
  },
};

export const replayHeader = {
  description:
    '`true` on a response that is repeated from the record of an earlier request with the same key.',
  schema: { type: 'string', enum: ['true'] },
};

export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'One key for each operation, the same for every try of it. Kept for 24 hours once settled; a failed request frees it at once.',
  schema: { type: 'string', minLength: 1, maxLength: 191, pattern: '^[\\x21-\\x7e]+$' },
  example: '9f3c2a4e-create-SKU-1001',
};
