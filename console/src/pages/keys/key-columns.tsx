import { Link } from '@tanstack/react-router';
import { scopes as scopeNames } from '../../../../client/src/generated/scopes.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { SparkLine } from '../../parts/spark-line.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Key, stateOf, toneOfState } from './key-state.ts';
import { messages } from './messages.ts';

/** Returns the columns of the list of keys. `hourly`: the requests of the last 24 hours by key. */
export function keyColumns(
  brandId: string,
  hourly: ReadonlyMap<string, readonly number[]>,
): readonly Column<Key>[] {
  return [
    {
      header: messages.name,
      cell: ({ key_id, name }) => (
        <Link to="/brands/$brandId/keys/$keyId" params={{ brandId, keyId: key_id }} data-row-link>
          {shownName(name)}
        </Link>
      ),
    },
    {
      header: messages.state,
      cell: (key) => {
        const state = stateOf(key);
        return <StateMark tone={toneOfState[state]}>{messages.marks[state]}</StateMark>;
      },
    },
    { header: messages.lastUsed, cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
    {
      header: messages.hours24,
      isExtra: true,
      cell: ({ key_id }) => {
        const line = hourly.get(key_id);
        const total = line?.reduce((sum, value) => sum + value, 0) ?? 0;
        return line === undefined ? (
          <span className="soft">–</span>
        ) : (
          <SparkLine values={line} label={messages.requests(total)} />
        );
      },
    },
    { header: messages.scopes, isExtra: true, cell: ({ scopes }) => <ScopeDots scopes={scopes} /> },
    { header: messages.expires, isExtra: true, cell: ({ expires_at }) => <Moment at={expires_at} /> },
    {
      header: messages.key,
      isExtra: true,
      cell: ({ key_id }) => <CopyableId id={key_id} short={`${key_id.slice(0, 12)}…`} />,
    },
  ];
}

interface Props {
  readonly scopes: readonly string[];
}

/** A place for each scope, filled if the key has it. The title and the text for screen readers list them. */
function ScopeDots({ scopes }: Props) {
  const held = scopeNames.filter((scope) => scopes.includes(scope));
  const words = held.length === scopeNames.length ? 'all scopes' : held.join(', ');
  return (
    <span className="scope-dots" title={words}>
      <span className="visually-hidden">{words}</span>
      {scopeNames.map((scope) => (
        <span key={scope} aria-hidden="true" data-held={scopes.includes(scope)}>
          {scopes.includes(scope) ? '●' : '·'}
        </span>
      ))}
    </span>
  );
}
