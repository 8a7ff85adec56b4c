import { Type } from 'typebox';
import { exampleIds } from '../api/example-ids.ts';

export const ProductParams = Type.Object({
  tuId: Type.String({
    pattern: '^[A-Za-z0-9_-]{21}$',
    description: 'The product’s `tu_id`.',
    examples: [exampleIds.product],
  }),
});
