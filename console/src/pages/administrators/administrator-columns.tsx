import type { ResponseOf } from '../../api/call.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { messages } from './messages.ts';

export type Administrator = ResponseOf<'listAdministrators'>['data'][number];

const roles: Readonly<Record<string, string>> = messages.roles;

/** Returns the columns of the list. `onRemove`: asks before an administrator is removed. */
export function administratorColumns(
  onRemove: (administrator: Administrator) => void,
): readonly Column<Administrator>[] {
  return [
    { id: 'name', header: messages.name, cell: ({ name }) => <strong>{name}</strong> },
    { id: 'role', header: messages.role, cell: ({ role }) => roles[role] ?? role },
    {
      id: 'brands',
      header: messages.brands,
      isExtra: true,
      cell: ({ brand_ids }) => <span className="mono">{brand_ids?.join(', ') ?? messages.allBrands}</span>,
    },
    { id: 'used', header: messages.lastUsed, cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
    {
      id: 'expires',
      header: messages.expires,
      isExtra: true,
      cell: ({ expires_at }) => <Moment at={expires_at} />,
    },
    {
      id: 'id',
      header: messages.id,
      isExtra: true,
      cell: ({ id }) => <CopyableId id={id} short={`${id.slice(0, 12)}…`} />,
    },
    {
      id: 'remove',
      header: messages.remove,
      cell: (administrator) => (
        <button
          className="button"
          data-kind="plain"
          type="button"
          aria-label={`${messages.remove} ${administrator.name}`}
          onClick={() => onRemove(administrator)}
        >
          {messages.remove}
        </button>
      ),
    },
  ];
}
