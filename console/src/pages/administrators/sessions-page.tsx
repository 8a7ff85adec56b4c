import { getRouteApi } from '@tanstack/react-router';
import type { ApiProblem } from '../../api/api-problem.ts';
import { call, type ResponseOf } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { readAll, useApi, useChange } from '../../api/use-api.ts';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.ts';

type Session = ResponseOf<'listSessions'>['data'][number];

const route = getRouteApi('/sessions');

/** The browsers that are signed in. */
export function SessionsPage() {
  const { page } = route.useSearch();
  const sessions = useApi('listSessions', { query: { page, per_page: 50 } }, { refreshMs: 10_000 });
  return (
    <Page
      title="Sessions"
      lead="Browsers that are signed in. A session ends after 12 hours, or 60 minutes without a request."
      actions={
        <ConfirmButton
          title="End your sessions in other browsers?"
          action="End my other sessions"
          onConfirm={() =>
            endOthers().then((count) =>
              toast(
                count === 1 ? 'Your other session has ended.' : `${figure(count)} other sessions have ended.`,
              ),
            )
          }
        >
          The browser is asked for a token at its next request.
        </ConfirmButton>
      }
    >
      <PagedTable
        query={sessions}
        caption="Sessions"
        columns={columns}
        rowKey={({ id }) => String(id)}
        empty={<EmptyNote title="No browser is signed in" />}
      />
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

const nameOf = ({ actor_name, actor }: Session) => actor_name ?? actor;

const columns: readonly Column<Session>[] = [
  {
    header: 'Who',
    text: nameOf,
    cell: (session) => (
      <span>
        <strong>{nameOf(session)}</strong>{' '}
        {session.is_current && <StateMark tone="good">this browser</StateMark>}
      </span>
    ),
  },
  { header: 'Role', isExtra: true, text: ({ role }) => role },
  { header: 'Signed in', isExtra: true, at: ({ created_at }) => created_at },
  { header: 'Last seen', at: ({ last_seen_at }) => last_seen_at },
  { header: 'Ends', isExtra: true, at: ({ expires_at }) => expires_at },
  {
    header: 'Address',
    isMono: true,
    text: ({ address }) => address,
    isExtra: true,
  },
  {
    header: 'End',
    phone: 'figure',
    cell: (session) => <EndSession session={session} />,
  },
];

function EndSession({ session }: { readonly session: Session }) {
  const end = useChange('deleteSession');
  return (
    <ConfirmButton
      look="plain"
      aria-label={`End ${nameOf(session)}`}
      title={`End the session of ${nameOf(session)}?`}
      action="End"
      onConfirm={() => end.mutateAsync({ path: [session.id] }).then(() => toast('The session has ended.'))}
    >
      The browser is asked for a token at its next request.
    </ConfirmButton>
  );
}
