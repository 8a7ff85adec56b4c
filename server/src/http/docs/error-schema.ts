import { errorCatalogue } from '../../errors/error-catalogue.ts';

/** The error envelope (contract, Error envelope), with the further keys that some codes bring along. */
export const errorSchema = {
  type: 'object',
  description: 'Branch on `code`, never on `message`. Further keys may appear.',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', enum: Object.keys(errorCatalogue) },
    message: { type: 'string', description: 'For people.' },
    errors: {
      type: 'object',
      description:
        'Only with `validation_failed`: messages by field, at most 100 fields. A field inside of another is a dotted path with indexes, such as `axes.0.code`.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    conflict: {
      type: 'object',
      description: 'Only with `duplicate_sku`, for keys that may read products: what has the SKU.',
      required: ['kind', 'tu_id', 'is_deleted'],
      properties: {
        kind: { type: 'string', enum: ['product', 'variant'] },
        tu_id: { type: 'string' },
        is_deleted: { type: 'boolean' },
      },
    },
    current_quantity: {
      type: 'integer',
      description: 'Only with `stock_version_conflict`: the quantity as it is now.',
    },
  },
};
