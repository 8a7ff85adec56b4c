import { Fragment } from 'react';
import type { Scope } from '../../../../client/src/generated/scopes.ts';
import { Button } from '../../parts/button.tsx';

/** The name of each resource, and what its scopes are for. */
const resources: Readonly<Record<string, readonly [name: string, sentence: string]>> = {
  'catalog.products': ['Products', 'Products, with their variants and axes when they are read.'],
  'catalog.axes': ['Axes', 'The axes of variants, such as colour and size, and their values.'],
  'catalog.variants': ['Variants', 'The variants of products.'],
  'catalog.stock': ['Stock', 'Locations and levels. Feeds send many levels at once.'],
  'analytics.metrics': ['Metrics', 'Figures by day and by content, without learners.'],
  'analytics.users': ['Learners', 'Figures by learner: personal data.'],
};

const actions: Readonly<Record<string, string>> = { read: 'Read', write: 'Write', ingest: 'Send feeds' };

const presets: readonly (readonly [name: string, scopes: readonly Scope[]])[] = [
  [
    'PIM',
    ['catalog.products:read', 'catalog.products:write', 'catalog.axes:write', 'catalog.variants:write'],
  ],
  ['ERP', ['catalog.products:read', 'catalog.stock:read', 'catalog.stock:write', 'catalog.stock:ingest']],
  ['Webshop', ['catalog.products:read', 'catalog.stock:read']],
  ['Reports', ['analytics.metrics:read']],
];

interface Props {
  readonly possible: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly onChoose: (scopes: readonly Scope[]) => void;
}

/** Chooses scopes by resource and action, or those of a kind of integration. */
export function ScopeGrid({ possible, chosen, onChoose }: Props) {
  const rows = [...Map.groupBy(possible, (scope) => scope.split(':')[0] ?? scope)];
  const offered = presets.filter(([, scopes]) => scopes.every((scope) => possible.includes(scope)));
  return (
    <>
      <table className="scope-grid">
        <tbody>
          {rows.map(([resource, scopes]) => {
            const [name, sentence] = resources[resource] ?? [resource, ''];
            return (
              <tr key={resource}>
                <th scope="row">
                  <strong>{name}</strong>
                  <span className="soft">{sentence}</span>
                </th>
                <td>
                  {scopes.map((scope) => (
                    <Fragment key={scope}>
                      <label className="choice" title={scope}>
                        <input
                          type="checkbox"
                          checked={chosen.includes(scope)}
                          onChange={({ target }) =>
                            onChoose(
                              target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope),
                            )
                          }
                        />
                        {actions[scope.split(':')[1] ?? ''] ?? scope}
                        <span className="visually-hidden">{scope}</span>
                      </label>
                      <br />
                    </Fragment>
                  ))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="form-row">
        {offered.map(([name, scopes]) => (
          <Button key={name} kind="plain" title={scopes.join(', ')} onClick={() => onChoose(scopes)}>
            {name}
          </Button>
        ))}
        <Button kind="plain" onClick={() => onChoose(possible)}>
          All
        </Button>
        <Button kind="plain" onClick={() => onChoose([])}>
          None
        </Button>
      </div>
    </>
  );
}
