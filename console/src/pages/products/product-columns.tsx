import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import type { Column } from '../../parts/data-table.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { AvailabilityMark } from './availability-mark.tsx';
import { messages } from './messages.ts';
import { priceOf, priceRangeOf } from './price.ts';

type Product = ResponseOf<'listProducts'>['data'][number];

const words = messages.columns;

export const productColumns: readonly Column<Product>[] = [
  {
    header: words.sku,
    cell: ({ brand_id, tu_id, sku }) => (
      <Link
        to="/brands/$brandId/products/$productId"
        params={{ brandId: String(brand_id), productId: tu_id }}
        className="mono cut"
        title={sku ?? tu_id}
        data-row-link
      >
        {sku ?? tu_id}
      </Link>
    ),
  },
  {
    header: words.title,
    isExtra: true,
    cell: ({ title }) => (
      <span className="cut" title={title}>
        {title}
      </span>
    ),
  },
  {
    header: words.state,
    isExtra: true,
    cell: ({ is_active }) => (
      <StateMark tone={is_active ? 'good' : 'off'}>
        {is_active ? messages.isActive : messages.isInactive}
      </StateMark>
    ),
  },
  {
    header: words.variants,
    isExtra: true,
    cell: ({ has_variants }) => (has_variants ? messages.hasVariants : ''),
  },
  {
    header: words.price,
    align: 'end',
    isExtra: true,
    cell: (product) => priceRangeOf(product) ?? priceOf(product.price_value, product.price_currency),
  },
  {
    header: words.availability,
    cell: ({ availability }) => <AvailabilityMark status={availability.status} />,
  },
  {
    header: words.quantity,
    align: 'end',
    cell: ({ stock_summary: stock }) => (stock === undefined ? '' : figure(stock.total_quantity)),
  },
  { header: words.updated, isExtra: true, cell: ({ updated_at }) => <Moment at={updated_at} /> },
];
