import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { BrandLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.ts';
import { messages } from './messages.ts';

const route = getRouteApi('/administrators');

/** The people who may sign in. */
export function AdministratorsPage() {
  const isAdministrator = useIsAdministrator();
  const { page } = route.useSearch();
  const administrators = useApi('listAdministrators', { query: { page, per_page: 50 } });
  const remove = useChange('deleteAdministrator');
  const [asked, setAsked] = useState<Administrator | null>(null);
  const columns = useMemo(() => administratorColumns(setAsked), []);
  const create = isAdministrator && (
    <Link to="/administrators/new" className="button" data-kind="primary">
      {messages.create}
    </Link>
  );
  return (
    <Page title={messages.title} lead={messages.lead} actions={create}>
      <PagedTable
        query={administrators}
        caption={messages.table}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyNote title={messages.empty} text={messages.emptyText}>
            {create}
          </EmptyNote>
        }
      />
      <ConfirmDialog
        title={messages.removeTitle(asked?.name ?? '')}
        action={messages.remove}
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => remove.mutateAsync({ path: [asked?.id ?? ''] }).then(() => toast(messages.removed))}
      >
        {messages.removeText}
      </ConfirmDialog>
    </Page>
  );
}

type Administrator = ResponseOf<'listAdministrators'>['data'][number];

const roles: Readonly<Record<string, string>> = messages.roles;

/** Returns the columns of the list. `onRemove`: asks before an administrator is removed. */
function administratorColumns(
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
