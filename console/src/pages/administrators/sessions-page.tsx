import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ApiProblem } from '../../api/api-problem.ts';
import { call, type ResponseOf } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { readAll } from '../../api/use-all-pages.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.ts';
import { messages } from './messages.ts';

type Session = ResponseOf<'listSessions'>['data'][number];

const route = getRouteApi('/sessions');
const words = messages.sessions;

/** The browsers that are signed in. */
export function SessionsPage() {
  const { page } = route.useSearch();
  const sessions = useApi('listSessions', { query: { page, per_page: 50 } }, { refreshMs: 10_000 });
  const end = useChange('deleteSession');
  const [asked, setAsked] = useState<Session | null>(null);
  const columns = useMemo(() => columnsOf(setAsked), []);
  const [endsOthers, setEndsOthers] = useState(false);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={<Button onClick={() => setEndsOthers(true)}>{words.endOthers}</Button>}
    >
      <PagedTable
        query={sessions}
        caption={words.table}
        columns={columns}
        rowKey={({ id }) => String(id)}
        empty={<EmptyNote title={words.empty} />}
      />
      <ConfirmDialog
        title={words.endTitle(nameOf(asked))}
        action={words.end}
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => end.mutateAsync({ path: [asked?.id ?? ''] }).then(() => toast(words.ended))}
      >
        {words.endText}
      </ConfirmDialog>
      <ConfirmDialog
        title={words.endOthersTitle}
        action={words.endOthers}
        isOpen={endsOthers}
        onClose={() => setEndsOthers(false)}
        onConfirm={() => endOthers().then((count) => toast(words.othersEnded(count)))}
      >
        {words.endText}
      </ConfirmDialog>
    </Page>
  );
}

/** Ends the user's sessions in other browsers, and returns their number. One that has ended meanwhile counts as well. */
async function endOthers(): Promise<number> {
  const { rows } = await readAll('listSessions', {});
  const current = rows.find(({ is_current }) => is_current);
  const others = rows.filter(({ is_current, actor }) => !is_current && actor === current?.actor);
  for (const { id } of others)
    await call('deleteSession', { path: [id] }).catch((problem: ApiProblem) => {
      if (problem.status !== 404) throw problem;
    });
  await queryClient.invalidateQueries();
  return others.length;
}

function nameOf(session: Session | null): string {
  return session?.actor_name ?? session?.actor ?? '';
}

function columnsOf(onEnd: (session: Session) => void): readonly Column<Session>[] {
  return [
    {
      header: words.actor,
      cell: (session) => (
        <span>
          <strong>{nameOf(session)}</strong>{' '}
          {session.is_current && <StateMark tone="good">{words.current}</StateMark>}
        </span>
      ),
    },
    { header: messages.role, isExtra: true, cell: ({ role }) => role },
    { header: words.signedIn, isExtra: true, cell: ({ created_at }) => <Moment at={created_at} /> },
    { header: words.lastSeen, cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
    { header: words.ends, isExtra: true, cell: ({ expires_at }) => <Moment at={expires_at} /> },
    {
      header: words.address,
      isExtra: true,
      cell: ({ address }) => <span className="mono">{address ?? '–'}</span>,
    },
    {
      header: words.end,
      cell: (session) => (
        <Button kind="plain" aria-label={`${words.end} ${nameOf(session)}`} onClick={() => onEnd(session)}>
          {words.end}
        </Button>
      ),
    },
  ];
}
