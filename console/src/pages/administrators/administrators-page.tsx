import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { BrandLink } from '../../parts/links.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
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
    </Page>
  );
}

type Administrator = ResponseOf<'listAdministrators'>['data'][number];

const roles: Readonly<Record<string, string>> = messages.roles;

const columns: readonly Column<Administrator>[] = [
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
  { header: messages.remove, cell: (administrator) => <Remove {...administrator} /> },
];

function Remove({ id, name }: Administrator) {
  const remove = useChange('deleteAdministrator');
  return (
    <ConfirmButton
      look="plain"
      aria-label={`${messages.remove} ${name}`}
      title={messages.removeTitle(name)}
      action={messages.remove}
      onConfirm={() => remove.mutateAsync({ path: [id] }).then(() => toast(messages.removed))}
    >
      {messages.removeText}
    </ConfirmButton>
  );
}
