import { Type } from 'typebox';
import { ExactFilter } from '../../../api/field-schemas.ts';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { rowToWire } from '../../directory-wire.ts';
import { listLearners } from '../../queries/learner-list.ts';
import { LearnerWire, learnerExample } from '../learner-wire.ts';

export const listLearnersOperation = readOperation({
  id: 'listLearners',
  method: 'GET',
  path: '/brands/:id/users',
  tag: 'Directory',
  summary: 'List learners',
  description: 'Ordered by id: all learners of the brand, or those that match every filter.',
  access: 'brand',
  params: BrandParams,
  query: Type.Object({
    tu_id: ExactFilter({ description: 'Only the learner with this id.', examples: ['u-4711'] }),
    opted_out: Type.Optional(
      Type.Boolean({
        description: '`true`: only learners who have opted out of analytics; `false`: only others.',
        examples: [false],
      }),
    ),
    market: ExactFilter({
      description: 'Only learners of the market with this `tu_id`.',
      examples: ['de-north'],
    }),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'One page of results.',
      schema: listOf(LearnerWire),
      example: exampleListOf(learnerExample),
    },
  },
  handle: async ({ database }, { params, query }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const filter = {
      ...(query.tu_id !== undefined && { tuId: query.tu_id }),
      ...(query.opted_out !== undefined && { isOptedOut: query.opted_out }),
      ...(query.market !== undefined && { market: query.market }),
    };
    return pageReply(query, (page) => listLearners(database, brandId, filter, page), rowToWire);
  },
});
