import type { ResponseOf } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { BrandLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { messages } from './messages.ts';

export type Administrator = ResponseOf<'listAdministrators'>['data'][number];

const roles: Readonly<Record<string, string>> = messages.roles;

/** Returns the columns of the list. `onRemove`: asks before an administrator is removed. */
export function administratorColumns(
  onRemove: (administrator: Administrator) => void,
): readonly Column<Administrator>[] {
  return [
    { header: messages.name, cell: ({ name }) => <strong>{shownName(name)}</strong> },
    { header: messages.role, cell: ({ role }) => roles[role] ?? role },
    {
      header: messages.brands,
      isExtra: true,
      cell: ({ brand_ids }) => (
        <span className="names">
          {brand_ids?.map((each) => <BrandLink key={each} brandId={each} />) ?? messages.allBrands}
        </span>
      ),
    },
    { header: messages.lastUsed, cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
    { header: messages.expires, isExtra: true, cell: ({ expires_at }) => <Moment at={expires_at} /> },
    {
      header: messages.id,
      isExtra: true,
      cell: ({ id }) => <CopyableId id={id} short={`${id.slice(0, 12)}…`} />,
    },
    {
      header: messages.remove,
      cell: (administrator) => (
        <Button
          kind="plain"
          aria-label={`${messages.remove} ${administrator.name}`}
          onClick={() => onRemove(administrator)}
        >
          {messages.remove}
        </Button>
      ),
    },
  ];
}
