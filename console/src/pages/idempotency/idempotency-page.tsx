import { getRouteApi, Link } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { KeyUse } from './key-use.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/brands/$brandId/idempotency');
/** A running request settles soon. */
const refreshMs = 3000;

/** The uses of an Idempotency-Key in a brand. The address has the key. */
export function IdempotencyPage() {
  const { brandId } = route.useParams();
  const { key = '' } = route.useSearch();
  const uses = useApi(
    'listIdempotencyKeyUses',
    { path: [brandId, key] },
    { isEnabled: key !== '', refreshMs },
  );
  return (
    <Page title={messages.title} lead={messages.lead}>
      <div className="section">
        <div className="filters" data-wide>
          <FilterField label={messages.key} name="key" value={key} isFirst isMono />
        </div>
        {key === '' ? (
          <EmptyNote title={messages.ask} text={messages.askText} />
        ) : (
          <Loaded query={uses}>
            {({ data }) =>
              data.length === 0 ? (
                <Unknown brandId={brandId} />
              ) : (
                data.map((use) => (
                  <KeyUse key={`${use.key_id} ${use.created_at}`} brandId={brandId} use={use} />
                ))
              )
            }
          </Loaded>
        )}
      </div>
    </Page>
  );
}

function Unknown({ brandId }: { readonly brandId: string }) {
  return (
    <EmptyNote title={messages.unknown}>
      <ul className="soft">
        {messages.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p className="soft">
        {messages.batch}{' '}
        <Link to="/brands/$brandId/feeds" params={{ brandId }}>
          {messages.feeds}
        </Link>
        .
      </p>
    </EmptyNote>
  );
}
