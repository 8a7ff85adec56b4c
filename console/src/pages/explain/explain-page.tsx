import { getRouteApi, Link } from '@tanstack/react-router';
import { addressOf, type ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Thread } from '../../parts/thread.tsx';
import { causeSteps } from './cause-steps.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/brands/$brandId/explain');
const perPage = 50;

/** A quantity and the movements that led to it. The address is the whole question. */
export function ExplainPage() {
  const { brandId } = route.useParams();
  const { sku = '', location = '', at, before } = route.useSearch();
  const isAsked = sku !== '' && location !== '';
  const input = { path: [brandId], query: { sku, location, at, before, limit: perPage } } as const;
  const explanation = useApi('explainStock', input, { isEnabled: isAsked });
  return (
    <div className="page">
      <PageHead
        title={messages.title}
        lead={messages.lead}
        actions={
          isAsked && (
            <a className="button" href={addressOf('explainStock', input)} download="explanation.json">
              {messages.json}
            </a>
          )
        }
      />
      <div className="section">
        <div className="filters">
          <FilterField label={messages.sku} name="sku" value={sku} isFirst isMono />
          <FilterField label={messages.location} name="location" value={location} isMono />
          <FilterField label={messages.at} name="at" value={at} isMono />
        </div>
        {isAsked && explanation.error?.status === 404 ? (
          <EmptyNote title={messages.unknown} />
        ) : isAsked ? (
          <Loaded query={explanation}>
            {(data) => <Causes brandId={brandId} explanation={data} at={at} before={before} />}
          </Loaded>
        ) : (
          <EmptyNote title={messages.ask}>
            <p className="soft">{messages.askText}</p>
          </EmptyNote>
        )}
      </div>
    </div>
  );
}

interface Props {
  readonly brandId: string;
  readonly explanation: ResponseOf<'explainStock'>;
  readonly at: string | undefined;
  readonly before: number | undefined;
}

function Causes({ brandId, explanation, at, before }: Props) {
  const { level, quantity_at: quantity, entries, refused } = explanation;
  if (level === null && entries.length === 0 && refused.length === 0)
    return <EmptyNote title={messages.none} />;
  const last = entries.at(-1);
  return (
    <>
      <Thread
        label={messages.label}
        steps={[
          {
            key: 'quantity',
            kind: messages.quantity,
            tone: 'good',
            content: (
              <>
                <strong>{figure(quantity)}</strong> <Instant at={at} />
                {level !== null && (
                  <span className="soft">
                    {' '}
                    {messages.reserved(level.reserved)}, {messages.available(level.available)}
                  </span>
                )}
              </>
            ),
          },
          ...causeSteps(brandId, explanation),
        ]}
      />
      <p className="form-row">
        {before !== undefined && <PageLink before={undefined} label={messages.latest} rel="prev" />}
        {last !== undefined && entries.length === perPage && (
          <PageLink before={last.id} label={messages.earlier} rel="next" />
        )}
      </p>
    </>
  );
}

/** The instant of the question. The previous answer stays for a moment while the server refuses what is no instant. */
function Instant({ at }: Pick<Props, 'at'>) {
  if (at === undefined) return messages.now;
  return Number.isNaN(Date.parse(at)) ? at : <Moment at={at} />;
}

interface LinkProps {
  readonly before: number | undefined;
  readonly label: string;
  readonly rel: 'prev' | 'next';
}

function PageLink({ before, label, rel }: LinkProps) {
  return (
    <Link to="." className="button" rel={rel} search={((search: object) => ({ ...search, before })) as never}>
      {label}
    </Link>
  );
}
