import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useApi } from '../../api/use-api.ts';
import { Page } from '../../parts/page.tsx';
import { columnsWithBrand } from './feed-columns.tsx';
import { FeedList } from './feed-list.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/feeds');
const refreshMs = 5000;

/** The stock feeds of all brands, newest first. */
export function AllFeedsPage() {
  const { page, ...filters } = route.useSearch();
  const feeds = useApi('listAllFeeds', { query: { ...filters, page, per_page: 50 } }, { refreshMs });
  const brands = useApi('listBrands', { query: { per_page: 200 } });
  const columns = useMemo(() => {
    const names = new Map(brands.data?.data.map(({ id, name }) => [id, name]));
    return columnsWithBrand((id) => names.get(id) ?? messages.brandWithId(id));
  }, [brands.data]);
  return (
    <Page title={messages.title} tabTitle={messages.allTitle} lead={messages.allLead}>
      <FeedList
        feeds={feeds}
        columns={columns}
        filters={filters}
        clear={<Link to="/feeds">{messages.clear}</Link>}
      />
    </Page>
  );
}
