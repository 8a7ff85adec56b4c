import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { EmptyNote, ErrorNote } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark, WorkState } from '../../parts/state-mark.tsx';
import { type Column, DataTable, PagedTable } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.ts';
import { messages } from './messages.ts';

type Run = ResponseOf<'listDoctorRuns'>['data'][number];

const route = getRouteApi('/doctor');
const refreshMs = 2000;

const columns: readonly Column<Run>[] = [
  { header: messages.startedAt, cell: ({ started_at }) => <Moment at={started_at} /> },
  {
    header: messages.state,
    cell: ({ state, error }) => (
      <span title={error ?? undefined}>
        <WorkState state={state} />
      </span>
    ),
  },
  {
    header: messages.found,
    align: 'end',
    cell: ({ found }) =>
      found === null ? '–' : found === 0 ? messages.none : <StateMark tone="bad">{figure(found)}</StateMark>,
  },
  { header: messages.brands, align: 'end', isExtra: true, cell: ({ brands }) => brands ?? '–' },
  {
    header: messages.finishedAt,
    isExtra: true,
    cell: ({ finished_at }) => <Moment at={finished_at} absent="–" />,
  },
];

/** The runs of the doctor, and the differences of the last one with the command that repairs them. */
export function DoctorPage() {
  const { page } = route.useSearch();
  const runs = useApi('listDoctorRuns', { query: { page, per_page: 20 } }, { refreshMs });
  const create = useChange('createDoctorRun');
  const mayChange = useIsAdministrator();
  return (
    <Page
      title={messages.title}
      lead={messages.lead}
      actions={
        mayChange && (
          <Button
            kind="primary"
            disabled={create.isPending}
            onClick={() => create.mutate({}, { onSuccess: () => toast(messages.started) })}
          >
            {messages.run}
          </Button>
        )
      }
    >
      {create.isError && <ErrorNote problem={create.error} />}
      <div className="section">
        <Differences run={runs.data?.data.find(({ state }) => state === 'completed')} />
        <PagedTable
          query={runs}
          caption={messages.table}
          columns={columns}
          rowKey={({ id }) => id}
          empty={<EmptyNote title={messages.empty} text={messages.emptyText} />}
        />
      </div>
    </Page>
  );
}

type Difference = Run['differences'][number];

const differenceColumns: readonly Column<Difference>[] = [
  { header: messages.check, cell: ({ check }) => <span className="mono">{check}</span> },
  {
    header: messages.brand,
    cell: ({ brand_id }) => (
      <Link to="/brands/$brandId" params={{ brandId: String(brand_id) }} data-row-link>
        {brand_id}
      </Link>
    ),
  },
  { header: messages.found, align: 'end', cell: ({ found }) => figure(found) },
];

/** Differences of the last completed run, with the command that repairs them. */
function Differences({ run }: { readonly run: Run | undefined }) {
  if (run === undefined) return null;
  if (run.differences.length === 0) return <StateMark tone="good">{messages.allWell}</StateMark>;
  return (
    <section className="section" aria-labelledby="differences">
      <h2 id="differences">{messages.differences}</h2>
      <DataTable
        caption={messages.differences}
        columns={differenceColumns}
        rows={run.differences}
        rowKey={({ check, brand_id }) => `${check} ${brand_id}`}
      />
      <p className="note">
        {messages.repair} <CopyableId id={messages.repairCommand} />
      </p>
    </section>
  );
}
