import { getRouteApi, Link } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { Page } from '../../parts/page.tsx';
import { feedColumns } from './feed-columns.tsx';
import { FeedList } from './feed-list.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/brands/$brandId/feeds');
const refreshMs = 5000;

/** The stock feeds of a brand, newest first. */
export function FeedsPage() {
  const { brandId } = route.useParams();
  const { page, ...filters } = route.useSearch();
  const feeds = useApi(
    'listBrandFeeds',
    { path: [brandId], query: { ...filters, page, per_page: 50 } },
    { refreshMs },
  );
  return (
    <Page title={messages.title} lead={messages.lead}>
      <FeedList
        feeds={feeds}
        columns={feedColumns}
        filters={filters}
        clear={
          <Link to="/brands/$brandId/feeds" params={{ brandId }}>
            {messages.clear}
          </Link>
        }
      />
    </Page>
  );
}
