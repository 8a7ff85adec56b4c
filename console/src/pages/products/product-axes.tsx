import type { ResponseOf } from '../../api/call.ts';
import { Facts } from '../../parts/facts.tsx';
import { figure } from '../../parts/messages.ts';
import { messages } from './messages.ts';

interface Props {
  readonly axes: ResponseOf<'getProduct'>['axes'];
}

const words = messages.product;

/** Values that are shown at once. */
const shownValues = 30;

function textOf(values: Props['axes'][number]['values']): string {
  return values.map(({ value, label }) => label ?? value).join(', ');
}

/** The axes of a product, in its order, with their values. */
export function ProductAxes({ axes }: Props) {
  return (
    <section className="section" aria-labelledby="axes">
      <h2 id="axes">{words.axes}</h2>
      {axes.length === 0 ? (
        <p className="soft">{words.noAxes}</p>
      ) : (
        <Facts
          items={axes.map(({ code, label, values }) => [
            label === null || label === code ? code : `${label} (${code})`,
            <span key={code}>
              {textOf(values.slice(0, shownValues))}{' '}
              <span className="soft">{words.values(values.length)}</span>
              {values.length > shownValues && (
                <details>
                  <summary>{words.moreValues(figure(values.length - shownValues))}</summary>
                  {textOf(values.slice(shownValues))}
                </details>
              )}
            </span>,
          ])}
        />
      )}
    </section>
  );
}
