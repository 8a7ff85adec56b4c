import { getRouteApi } from '@tanstack/react-router';
import type { ApiProblem } from '../../api/api-problem.ts';
import { call, type ResponseOf } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { readAll, useApi, useChange } from '../../api/use-api.ts';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
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
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <ConfirmButton
          title={words.endOthersTitle}
          action={words.endOthers}
          onConfirm={() => endOthers().then((count) => toast(words.othersEnded(count)))}
        >
          {words.endText}
        </ConfirmButton>
      }
    >
      <PagedTable
        query={sessions}
        caption={words.table}
        columns={columns}
        rowKey={({ id }) => String(id)}
        empty={<EmptyNote title={words.empty} />}
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
    cell: (session) => <EndSession session={session} />,
  },
];

function EndSession({ session }: { readonly session: Session }) {
  const end = useChange('deleteSession');
  return (
    <ConfirmButton
      look="plain"
      aria-label={`${words.end} ${nameOf(session)}`}
      title={words.endTitle(nameOf(session))}
      action={words.end}
      onConfirm={() => end.mutateAsync({ path: [session.id] }).then(() => toast(words.ended))}
    >
      {words.endText}
    </ConfirmButton>
  );
}
