import { type TSchema, Type } from 'typebox';
import { type ReadOperation, readOperation } from '../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../api/pagination.ts';
import { getBrand } from '../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../brands/brand-wire.ts';
import { type RowTimes, rowToWire } from './directory-wire.ts';
import { type DirectoryList, listDirectoryPage } from './queries/directory-lists.ts';

interface DirectoryListDescription<Row extends RowTimes> {
  readonly id: string;
  readonly path: string;
  readonly things: string;
  readonly list: DirectoryList<Row>;
  readonly item: TSchema;
  readonly example: unknown;
}

export function directoryListOperation<Row extends RowTimes>(
  description: DirectoryListDescription<Row>,
): ReadOperation {
  const { id, path, things, list, item, example } = description;
  return readOperation({
    id,
    method: 'GET',
    path: `/brands/:id/${path}`,
    tag: 'Directory',
    summary: `List ${things}`,
    description: 'Ordered by id.',
    access: 'brand',
    params: BrandParams,
    query: Type.Object(pageQuery),
    responses: {
      200: {
        description: 'One page of results.',
        schema: listOf(item),
        example: exampleListOf(example),
      },
    },
    handle: async ({ database }, { params, query }) => {
      const brand = await getBrand(database, brandIdFromPath(params.id));
      return pageReply(query, (page) => listDirectoryPage(database, list, brand.id, page), rowToWire);
    },
  });
}
