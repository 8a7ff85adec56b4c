import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useApi, useChange } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pager } from '../../parts/pager.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { type Administrator, administratorColumns } from './administrator-columns.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/administrators');

/** The people who may sign in. */
export function AdministratorsPage() {
  const { page } = route.useSearch();
  const administrators = useApi('listAdministrators', { query: { page, per_page: 50 } });
  const remove = useChange('deleteAdministrator');
  const [asked, setAsked] = useState<Administrator | null>(null);
  const columns = useMemo(() => administratorColumns(setAsked), []);
  const toast = useToast();
  const create = (
    <Link to="/administrators/new" className="button" data-kind="primary">
      {messages.create}
    </Link>
  );
  return (
    <div className="page">
      <PageHead title={messages.title} lead={messages.lead} actions={create} />
      <Loaded query={administrators}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <EmptyNote title={messages.empty}>
              <p className="soft">{messages.emptyText}</p>
              {create}
            </EmptyNote>
          ) : (
            <>
              <DataTable caption={messages.table} columns={columns} rows={data} rowKey={({ id }) => id} />
              <Pager meta={meta} />
            </>
          )
        }
      </Loaded>
      <ConfirmDialog
        title={messages.removeTitle(asked?.name ?? '')}
        action={messages.remove}
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => remove.mutateAsync({ path: [asked?.id ?? ''] }).then(() => toast(messages.removed))}
      >
        {messages.removeText}
      </ConfirmDialog>
    </div>
  );
}
