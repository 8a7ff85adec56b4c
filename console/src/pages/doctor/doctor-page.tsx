import { getRouteApi } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useIsAdministrator } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { brandColumn } from '../../parts/links.tsx';
import { EmptyNote, ErrorNote } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark, WorkState } from '../../parts/state-mark.tsx';
import { type Column, DataTable, PagedTable } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.ts';

type Run = ResponseOf<'listDoctorRuns'>['data'][number];

const route = getRouteApi('/doctor');
const refreshMs = 2000;

const columns: readonly Column<Run>[] = [
  { header: 'Started', at: ({ started_at }) => started_at },
  {
    header: 'State',
    text: ({ state }) => state,
    cell: ({ state, error }) => (
      <span title={error ?? undefined}>
        <WorkState state={state} />
      </span>
    ),
  },
  {
    header: 'Differences',
    align: 'end',
    text: ({ found }) => found,
    cell: ({ found }) =>
      found === null ? '–' : found === 0 ? 'none' : <StateMark tone="bad">{figure(found)}</StateMark>,
  },
  {
    header: 'Brands',
    text: ({ brands }) => brands,
    align: 'end',
    isExtra: true,
    cell: ({ brands }) => brands ?? '–',
  },
  {
    header: 'Finished',
    at: ({ finished_at }) => finished_at,
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
      title="Doctor"
      lead="Recomputes all derived figures and compares them with the stored ones. It changes nothing."
      actions={
        mayChange && (
          <Button
            kind="primary"
            disabled={create.isPending}
            onClick={() => create.mutate({}, { onSuccess: () => toast('The doctor runs as a job.') })}
          >
            Run the doctor
          </Button>
        )
      }
    >
      {create.isError && <ErrorNote problem={create.error} />}
      <div className="section">
        <Differences run={runs.data?.data.find(({ state }) => state === 'completed')} />
        <PagedTable
          query={runs}
          caption="Runs"
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyNote
              title="The doctor has not run yet"
              text="It reads every brand, which takes minutes with millions of rows."
            />
          }
        />
      </div>
    </Page>
  );
}

type Difference = Run['differences'][number];

const differenceColumns: readonly Column<Difference>[] = [
  { header: 'Check', isMono: true, text: ({ check }) => check },
  brandColumn,
  { header: 'Differences', align: 'end', text: ({ found }) => found },
];

/** Differences of the last completed run, with the command that repairs them. */
function Differences({ run }: { readonly run: Run | undefined }) {
  if (run === undefined) return null;
  if (run.differences.length === 0)
    return <StateMark tone="good">The last run found no difference.</StateMark>;
  return (
    <section className="section" aria-labelledby="differences">
      <h2 id="differences">Differences of the last run</h2>
      <DataTable
        caption="Differences of the last run"
        columns={differenceColumns}
        rows={run.differences}
        rowKey={({ check, brand_id }) => `${check} ${brand_id}`}
      />
      <p className="note">
        Repair with this command, on a machine with the settings of the server:{' '}
        <CopyableId id="npx brandport doctor --repair" />
      </p>
    </section>
  );
}
