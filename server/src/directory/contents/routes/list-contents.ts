import { directoryListOperation } from '../../list-operation.ts';
import { contentList } from '../../queries/directory-lists.ts';
import { ContentWire } from '../content-wire.ts';

export const listContentsOperation = directoryListOperation({
  id: 'listContents',
  path: 'contents',
  things: 'contents',
  list: contentList,
  item: ContentWire,
  example: {
    type: 'episode',
    tu_id: 'ep-12',
    name: 'Fibres and fabrics',
    is_live: true,
    created_at: '2026-03-01T08:30:00.000Z',
    updated_at: '2026-03-01T08:30:00.000Z',
  },
});
