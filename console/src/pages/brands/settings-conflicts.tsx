import { Button } from '../../parts/button.tsx';
import type { SettingsField, SettingsText } from './brand-settings.ts';
import { messages } from './messages.ts';

interface Props {
  readonly conflicts: readonly SettingsField[];
  readonly labelOf: (field: SettingsField) => string;
  readonly mine: SettingsText;
  readonly theirs: SettingsText;
  readonly onResolve: (field: SettingsField, choice: 'mine' | 'theirs') => void;
}

const words = messages.conflict;

/** Both values of each field that somebody else has changed meanwhile, to choose from. */
export function SettingsConflicts({ conflicts, labelOf, mine, theirs, onResolve }: Props) {
  if (conflicts.length === 0) return null;
  return (
    <div className="note" role="alert">
      <p>
        <strong>{words.title}</strong>
      </p>
      {conflicts.map((field) => (
        <p key={field} className="form-row">
          <span>{words.saved(labelOf(field), theirs[field])}</span>
          <Button onClick={() => onResolve(field, 'theirs')}>{words.take(theirs[field])}</Button>
          <Button onClick={() => onResolve(field, 'mine')}>{words.keep(mine[field])}</Button>
        </p>
      ))}
    </div>
  );
}
