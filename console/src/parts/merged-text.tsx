import { useState } from 'react';
import { Button } from './button.tsx';

type Text = Readonly<Record<string, string>>;

/** The fields of a form as they are stored. */
export interface LoadedText<Fields extends Text> {
  readonly text: Fields;
  /** Names the state, such as its entity tag; undefined: it is not stored yet. */
  readonly tag?: string | undefined;
}

/**
 * Holds what is typed, and the state from which it began. When somebody else has saved meanwhile, their fields are adopted,
 * except for those that were changed here to another value: these are conflicts until one of the values is chosen.
 */
export function useMergedText<Fields extends Text>(latest: LoadedText<Fields>) {
  type Field = keyof Fields & string;
  const [base, setBase] = useState(latest);
  const [text, setText] = useState(latest.text);
  const [adopted, setAdopted] = useState<readonly Field[]>([]);
  const fields = Object.keys(latest.text) as Field[];
  const isMine = (field: Field) => text[field] !== base.text[field];
  const theirs = fields.filter((field) => latest.text[field] !== base.text[field]);
  const conflicts = theirs.filter((field) => isMine(field) && text[field] !== latest.text[field]);
  if (latest.tag !== base.tag && conflicts.length === 0) {
    const mine = fields.filter(isMine);
    setAdopted(theirs.filter((field) => !mine.includes(field)));
    setBase(latest);
    setText({ ...latest.text, ...Object.fromEntries(mine.map((field) => [field, text[field]])) });
  }
  return {
    base,
    text,
    conflicts,
    isChanged: fields.some(isMine),
    /** The fields that somebody else has changed, and that were adopted. */
    adopted,
    change: (field: Field, value: string) => setText({ ...text, [field]: value }),
    /** Resolves a conflict: keeps what is typed, or takes what somebody else has saved. */
    resolve: (field: Field, choice: 'mine' | 'theirs') =>
      choice === 'theirs'
        ? setText({ ...text, [field]: latest.text[field] })
        : setBase({ ...base, text: { ...base.text, [field]: latest.text[field] } }),
  };
}

interface Props<Fields extends Text> {
  readonly merged: ReturnType<typeof useMergedText<Fields>>;
  /** The stored values. */
  readonly theirs: Fields;
  readonly labelOf: (field: keyof Fields & string) => string;
}

/** Shows both values of each conflict, to choose from, and names the fields that were adopted. */
export function MergeNotes<Fields extends Text>({ merged, theirs, labelOf }: Props<Fields>) {
  const { conflicts, adopted, isChanged, resolve, text } = merged;
  return (
    <>
      {conflicts.length > 0 && (
        <div className="note" role="alert">
          <p>
            <strong>Somebody else has saved meanwhile. Choose, then save.</strong>
          </p>
          {conflicts.map((field) => (
            <p key={field} className="form-row">
              <span>
                {labelOf(field)} is now {shownValue(theirs[field] ?? '')}.
              </span>
              <Button onClick={() => resolve(field, 'theirs')}>Take {shownValue(theirs[field] ?? '')}</Button>
              <Button onClick={() => resolve(field, 'mine')}>Keep {shownValue(text[field] ?? '')}</Button>
            </p>
          ))}
        </div>
      )}
      {isChanged && adopted.length > 0 && (
        <output className="note">
          Somebody else has saved meanwhile: {adopted.map(labelOf).join(', ')}. Your own changes are not saved
          yet.
        </output>
      )}
    </>
  );
}

function shownValue(value: string): string {
  return value === '' ? 'nothing' : value;
}
