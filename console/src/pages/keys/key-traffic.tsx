import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useAllPages } from '../../api/use-api.ts';
import { EmptyNote, Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Segments } from '../../parts/segments.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { TimeChart } from '../../parts/time-chart.tsx';
import { beginOf, byOperation, type OperationUse, type Span, spans, stepsOf } from './usage-sums.ts';

const spanNames = { '1': '24 hours', '7': '7 days', '90': '90 days' } as const;

interface Props {
  readonly brandId: string;
  readonly keyId: string;
  readonly span: Span;
}

const refreshMs = 10_000;

const columns: readonly Column<OperationUse>[] = [
  {
    header: 'Operation',
    isMono: true,
    text: ({ operation }) => operation,
  },
  {
    header: 'Scope',
    isExtra: true,
    cell: ({ scope }) => <span className="mono soft">{scope ?? 'any key'}</span>,
  },
  { header: 'Requests', align: 'end', text: ({ requests }) => requests },
  { header: '4xx', align: 'end', cell: ({ refused }) => <Count value={refused} /> },
  { header: '429', align: 'end', cell: ({ denied }) => <Count value={denied} /> },
  { header: '5xx', align: 'end', cell: ({ failed }) => <Count value={failed} /> },
  { header: 'Last, hour from', isExtra: true, at: ({ last }) => last },
];

/** The requests of a key over a span: a chart of all, and a line for each operation. */
export function KeyTraffic({ brandId, keyId, span }: Props) {
  const { step } = spans[span];
  const begin = new Date(beginOf(span)).toISOString();
  const from = step === 'day' ? begin.slice(0, 10) : begin;
  const usage = useAllPages('listKeyUsage', { path: [keyId], query: { step, from } }, { refreshMs });
  const rows = usage.data?.rows;
  const { times, series } = useMemo(() => {
    const steps = stepsOf(rows ?? [], span);
    const served = steps.requests.map((requests, index) => requests - (steps.unserved[index] ?? 0));
    return {
      times: steps.times,
      series: [
        { label: 'Served', color: '--accent', values: served },
        { label: 'Refused or failed', color: '--bad', values: steps.unserved },
      ],
    };
  }, [rows, span]);
  const navigate = useNavigate();
  /** Opens what was refused in the step of a bar. */
  function open(at: number): void {
    const end = at + spans[span].stepMs - 1;
    const search = { key_id: keyId, from: new Date(at).toISOString(), to: new Date(end).toISOString() };
    void navigate({ to: `/brands/${brandId}/refusals` as '/', search: search as never });
  }
  return (
    <>
      <div className="section-head">
        <h2 id="traffic">Traffic</h2>
        <Segments
          label="Span"
          choices={(Object.keys(spans) as Span[]).map((each) => ({
            label: spanNames[each],
            search: { days: each },
            isCurrent: each === span,
          }))}
        />
      </div>
      <Loaded query={usage}>
        {({ rows: data }) =>
          data.length === 0 ? (
            <EmptyNote title="No request in this time" />
          ) : (
            <div className="section">
              <TimeChart
                times={times}
                series={series}
                label={`Requests over ${spanNames[span]}`}
                onOpen={open}
              />
              <DataTable
                caption="Requests by operation"
                columns={columns}
                rows={byOperation(data)}
                rowKey={({ operation }) => operation}
              />
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function Count({ value }: { readonly value: number }) {
  return value === 0 ? <span className="soft">–</span> : <strong>{figure(value)}</strong>;
}
