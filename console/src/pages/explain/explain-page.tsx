import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Causes, perPage } from './causes.tsx';
import { ExportButton } from './export-button.tsx';
import { LocationField } from './location-field.tsx';
import { messages } from './messages.ts';
import type { Question } from './read-chain.ts';
import { instantFrom, TimeSlider } from './time-slider.tsx';
import { UnknownLevel } from './unknown-level.tsx';

const route = getRouteApi('/brands/$brandId/explain');

/** A quantity, or the difference of two, and what led to it. The address is the whole question. */
export function ExplainPage() {
  const { brandId } = route.useParams();
  const { sku = '', location = '', from, at } = route.useSearch();
  const isAsked = sku !== '' && location !== '';
  const question = { brandId, sku, location, from, at };
  return (
    <Page
      title={messages.title}
      tabTitle={isAsked ? messages.tabTitle(sku, location) : messages.title}
      lead={messages.lead}
      actions={isAsked && <ExportButton question={question} />}
    >
      <div className="section">
        <div className="filters">
          <FilterField label={messages.sku} name="sku" value={sku} isFirst isMono />
          <LocationField brandId={brandId} sku={sku} location={location} />
          <FilterField label={messages.from} name="from" value={from} isMono read={instantFrom} />
          <FilterField label={messages.at} name="at" value={at} isMono read={instantFrom} />
        </div>
        {isAsked ? (
          <Answer question={question} />
        ) : (
          <EmptyNote title={messages.ask} text={messages.askText} />
        )}
      </div>
    </Page>
  );
}

function Answer({ question }: { readonly question: Question }) {
  const { before, refused_before } = route.useSearch();
  const { brandId, sku, location, from, at } = question;
  const path = [brandId] as const;
  const explanation = useApi('explainStock', {
    path,
    query: { sku, location, at, before, refused_before, limit: perPage },
  });
  const earlier = useApi(
    'explainStock',
    { path, query: { sku, location, at: from, limit: 1 } },
    { isEnabled: from !== undefined },
  );
  if (explanation.error?.status === 404) return <UnknownLevel question={question} />;
  if (from !== undefined && Date.parse(from) > Date.parse(at ?? new Date().toISOString()))
    return <EmptyNote title={messages.difference.reversed} />;
  if (from !== undefined && earlier.isError) return <ErrorNote problem={earlier.error} />;
  return (
    <Loaded query={explanation}>
      {(data) => (
        <>
          <TimeSlider explanation={data} at={at} now={explanation.dataUpdatedAt} />
          {(from === undefined || earlier.data !== undefined) && (
            <Causes
              brandId={brandId}
              explanation={data}
              at={at}
              earlier={
                from === undefined || earlier.data === undefined
                  ? null
                  : { at: from, quantity: earlier.data.quantity_at }
              }
              before={before}
              refusedBefore={refused_before}
            />
          )}
        </>
      )}
    </Loaded>
  );
}
