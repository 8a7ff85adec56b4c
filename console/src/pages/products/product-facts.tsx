import type { ResponseOf } from '../../api/call.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { figure, messages as shared } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';
import { priceOf, priceRangeOf } from './price.ts';

interface Props {
  readonly product: ResponseOf<'getProduct'>;
}

const words = messages.product;

/** The fields of a product. */
export function ProductFacts({ product }: Props) {
  const { stock_summary: stock } = product;
  return (
    <section className="section" aria-labelledby="facts">
      <h2 id="facts">{words.facts}</h2>
      <Facts
        items={[
          [words.id, <CopyableId key="id" id={product.tu_id} />],
          [
            words.state,
            <StateMark key="state" tone={product.is_active ? 'good' : 'off'}>
              {product.is_active ? messages.isActive : words.archived}
            </StateMark>,
          ],
          [words.own, priceOf(product.price_value, product.price_currency)],
          ...(product.has_variants ? [[words.range, priceRangeOf(product) ?? shared.none] as const] : []),
          ...(stock === undefined
            ? []
            : [
                [
                  words.quantity,
                  `${figure(stock.total_quantity)}, ${words.reserved(figure(stock.total_reserved))}`,
                ] as const,
              ]),
          [words.type, product.type],
          [words.taxClass, product.tax_class],
          [words.created, <Moment key="created" at={product.created_at} />],
          [words.updated, <Moment key="updated" at={product.updated_at} />],
        ]}
      />
    </section>
  );
}
