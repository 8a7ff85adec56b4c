import { scopes as scopeNames } from '../../../../client/src/generated/scopes.ts';

interface Props {
  readonly scopes: readonly string[];
}

/** A place for each scope, filled if the key has it. The title and the text for screen readers list them. */
export function ScopeDots({ scopes }: Props) {
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
