import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { BrandLink } from '../../parts/links.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.ts';

const route = getRouteApi('/administrators');

/** The people who may sign in. */
export function AdministratorsPage() {
  const isAdministrator = useIsAdministrator();
  const { page } = route.useSearch();
  const administrators = useApi('listAdministrators', { query: { page, per_page: 50 } });
  const create = isAdministrator && (
    <Link to="/administrators/new" className="button" data-kind="primary">
      New administrator
    </Link>
  );
  return (
    <Page
      title="Administrators"
      lead="Give each person a token, so that the audit log shows who acted and you can revoke one without the others."
      actions={create}
    >
      <PagedTable
        query={administrators}
        caption="Administrators"
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyNote
            title="No named administrator yet"
            text="Everybody uses the admin token of the server, and the audit cannot tell them apart."
          >
            {create}
          </EmptyNote>
        }
      />
    </Page>
  );
}

type Administrator = ResponseOf<'listAdministrators'>['data'][number];

const roles: Readonly<Record<string, string>> = {
  administrator: 'Administrator',
  operator: 'Operator',
  support: 'Support',
};

const columns: readonly Column<Administrator>[] = [
  { header: 'Name', text: ({ name }) => name, cell: ({ name }) => <strong>{shownName(name)}</strong> },
  { header: 'Role', text: ({ role }) => role, cell: ({ role }) => roles[role] ?? role },
  {
    header: 'Brands',
    text: ({ brand_ids }) => brand_ids?.join(' ') ?? 'all',
    isExtra: true,
    cell: ({ brand_ids }) => (
      <span className="names">
        {brand_ids?.map((each) => <BrandLink key={each} brandId={each} />) ?? 'all'}
      </span>
    ),
  },
  { header: 'Last used', at: ({ last_used_at }) => last_used_at },
  { header: 'Expires on', isExtra: true, at: ({ expires_at }) => expires_at },
  {
    header: 'Id',
    text: ({ id }) => id,
    isExtra: true,
    cell: ({ id }) => <CopyableId id={id} short={`${id.slice(0, 12)}…`} />,
  },
  { header: 'Remove', phone: 'figure', cell: (administrator) => <Remove {...administrator} /> },
];

function Remove({ id, name }: Administrator) {
  const remove = useChange('deleteAdministrator');
  return (
    <ConfirmButton
      look="plain"
      aria-label={`Remove ${name}`}
      title={`Remove ${name}?`}
      action="Remove"
      onConfirm={() => remove.mutateAsync({ path: [id] }).then(() => toast('The administrator is removed.'))}
    >
      The token stops working, and the sessions of this person end at once. The audit keeps the name.
    </ConfirmButton>
  );
}
