import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { type Administrator, administratorColumns } from './administrator-columns.tsx';
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
  const toast = useToast();
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
