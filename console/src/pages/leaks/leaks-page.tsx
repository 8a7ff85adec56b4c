import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { ApiProblem } from '../../api/api-problem.ts';
import { call, type ResponseOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Page } from '../../parts/page.tsx';
import { type Leak, leakColumns } from './leak-columns.tsx';
import { messages } from './messages.ts';

/** Names every key and token in the pasted text, and revokes those whose secret is in it. The text stays in this page only. */
export function LeaksPage() {
  const [text, setText] = useState('');
  const [isAsked, setAsked] = useState(false);
  const queries = useQueryClient();
  const mayChange = useMayChange();
  const id = useId();
  const search = useMutation<ResponseOf<'findLeaks'>, ApiProblem, boolean>({
    mutationFn: (revoke) => call('findLeaks', { body: { text, revoke } }),
    onSuccess: () => queries.invalidateQueries(),
  });
  const found = search.data?.data;
  const live = (found ?? []).filter(isRevocable);

  if (!mayChange)
    return (
      <Page title={messages.title} lead={messages.lead}>
        <EmptyNote title={messages.refused} />
      </Page>
    );

  function submit(event: FormEvent): void {
    event.preventDefault();
    search.mutate(false);
  }

  return (
    <Page title={messages.title} lead={messages.lead}>
      <form className="form" onSubmit={submit}>
        <div className="field">
          <label htmlFor={id}>{messages.label}</label>
          <textarea
            id={id}
            className="input"
            data-mono
            data-search
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => (event.metaKey || event.ctrlKey) && event.key === 'Enter' && submit(event)}
          />
        </div>
        <div className="form-row">
          <Button kind="primary" type="submit" disabled={search.isPending || text.trim() === ''}>
            {search.isPending ? messages.pending : messages.submit}
          </Button>
          {live.length > 0 && (
            <Button kind="danger" onClick={() => setAsked(true)}>
              {messages.revoke(live.length)}
            </Button>
          )}
        </div>
      </form>
      {search.isError && <ErrorNote problem={search.error} />}
      {found !== undefined && (
        <section className="section" aria-live="polite" aria-label={messages.table}>
          {found.length === 0 ? (
            <EmptyNote title={messages.nothing} />
          ) : (
            <DataTable
              caption={messages.table}
              columns={leakColumns}
              rows={found}
              rowKey={({ kind, id: leaked, secret_matches }) => `${kind} ${leaked} ${secret_matches}`}
            />
          )}
          {found.some(({ kind, secret_matches }) => kind === 'admin_token' && secret_matches) && (
            <p className="note">{messages.adminToken}</p>
          )}
        </section>
      )}
      <ConfirmDialog
        title={messages.revokeTitle(live.length)}
        action={messages.revoke(live.length)}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => search.mutateAsync(true)}
      >
        {messages.revokeText}
      </ConfirmDialog>
    </Page>
  );
}

/** The configured admin token is found, and replaced in the configuration only. */
function isRevocable({ kind, state, secret_matches }: Leak): boolean {
  return kind !== 'admin_token' && secret_matches === true && ['active', 'expired'].includes(state);
}
