import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { figure } from '../../parts/messages.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';

type Run = ResponseOf<'listDoctorRuns'>['data'][number];
type Difference = Run['differences'][number];

const columns: readonly Column<Difference>[] = [
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
export function Differences({ run }: { readonly run: Run | undefined }) {
  if (run === undefined) return null;
  if (run.differences.length === 0) {
    return (
      <p>
        <StateMark tone="good">{messages.allWell}</StateMark>
      </p>
    );
  }
  return (
    <section className="section" aria-labelledby="differences">
      <h2 id="differences">{messages.differences}</h2>
      <DataTable
        caption={messages.differences}
        columns={columns}
        rows={run.differences}
        rowKey={({ check, brand_id }) => `${check} ${brand_id}`}
      />
      <p className="note">
        {messages.repair} <CopyableId id={messages.repairCommand} />
      </p>
    </section>
  );
}
