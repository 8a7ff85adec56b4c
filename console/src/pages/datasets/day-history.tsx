import { useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { counted, figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { causeText } from './revision-texts.ts';

type Day = ResponseOf<'getDatasetDay'>;
type Dataset = Day['dataset'];

interface Props {
  readonly brandId: string;
  readonly day: string;
  readonly datasets: Readonly<Record<string, string>>;
}

/** Shows what is served of a day, and why it changed: the last revisions of one of its datasets. */
export function DayHistory({ brandId, day, datasets }: Props) {
  const [dataset, setDataset] = useState<Dataset>('daily');
  const read = useApi('getDatasetDay', { path: [brandId, dataset, day] }, { refreshMs: 15_000 });
  return (
    <section className="section" aria-labelledby="day-history">
      <h2 id="day-history">{day}: figures and changes</h2>
      <fieldset className="switch">
        <legend className="visually-hidden">Dataset</legend>
        <div className="segments">
          {Object.entries(datasets).map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === dataset}
              onClick={() => setDataset(name as Dataset)}
            >
              {label}
            </button>
          ))}
        </div>
      </fieldset>
      <Loaded query={read}>
        {(found) => (
          <>
            {found.dataset === 'daily' && found.figures.length > 0 && <Facts items={factsOf(found)} />}
            {found.dataset !== 'daily' && found.revisions.length > 0 && (
              <p>
                {counted(found.figures.length, 'row is', 'rows are')} served
                {found.has_more && ', and more on further pages'}.
              </p>
            )}
            {found.revisions.length === 0 ? (
              <p className="soft">The day was never aggregated.</p>
            ) : (
              <DataTable
                caption="Why the figures changed"
                columns={columns}
                rows={rowsOf(found.revisions)}
                rowKey={({ revision }) => String(revision)}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** The figures of the row of the brand, as the client API names them. */
function factsOf({ figures: [row] }: Day): Readonly<Record<string, string>> {
  if (row === undefined) return {};
  const totals = row['totals'] as Readonly<Record<string, number>>;
  const items = Object.entries({ active_users: row['active_users'] as number, ...totals });
  return Object.fromEntries(items.map(([name, value]) => [wordsOf(name), figure(value)]));
}

function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/^xp/, 'XP');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Row = Day['revisions'][number] & { readonly before: Day['revisions'][number] | undefined };

const rowsOf = (revisions: Day['revisions']): readonly Row[] =>
  revisions.map((revision, index) => ({ ...revision, before: revisions[index + 1] }));

const columns: readonly Column<Row>[] = [
  { header: 'When', cell: ({ at }) => <Moment at={at} /> },
  { header: 'Why', cell: (row) => <span data-wraps>{causeText(row, row.before)}</span> },
  { header: 'Events counted', align: 'end', cell: ({ events }) => (events === null ? '–' : figure(events)) },
  { header: 'Rows', align: 'end', isExtra: true, cell: ({ rows }) => (rows === null ? '–' : figure(rows)) },
  { header: 'Revision', align: 'end', isExtra: true, cell: ({ revision }) => figure(revision) },
];
