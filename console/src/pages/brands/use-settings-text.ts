import { useState } from 'react';
import { type SettingsField, type SettingsText, settingsFields } from './brand-settings.ts';

export interface LoadedSettings {
  readonly text: SettingsText;
  /** The entity tag; undefined: a new brand. */
  readonly tag?: string | undefined;
}

/**
 * Holds what is typed, and the state from which it began. When somebody else has saved meanwhile, their fields are adopted,
 * except for those that were changed here to another value: these are conflicts until one of the values is chosen.
 */
export function useSettingsText(latest: LoadedSettings) {
  const [base, setBase] = useState(latest);
  const [text, setText] = useState(latest.text);
  const [adopted, setAdopted] = useState<readonly SettingsField[]>([]);
  const isMine = (field: SettingsField) => text[field] !== base.text[field];
  const theirs = settingsFields.filter((field) => latest.text[field] !== base.text[field]);
  const conflicts = theirs.filter((field) => isMine(field) && text[field] !== latest.text[field]);
  if (latest.tag !== base.tag && conflicts.length === 0) {
    const mine = settingsFields.filter(isMine);
    setAdopted(theirs.filter((field) => !mine.includes(field)));
    setBase(latest);
    setText({ ...latest.text, ...pick(text, mine) });
  }
  return {
    base,
    text,
    conflicts,
    isChanged: settingsFields.some(isMine),
    /** The fields that somebody else has changed, and that were adopted. */
    adopted,
    change: (field: SettingsField, value: string) => setText({ ...text, [field]: value }),
    /** Resolves a conflict: keeps what is typed, or takes what somebody else has saved. */
    resolve: (field: SettingsField, choice: 'mine' | 'theirs') =>
      choice === 'theirs'
        ? setText({ ...text, [field]: latest.text[field] })
        : setBase({ ...base, text: { ...base.text, [field]: latest.text[field] } }),
  };
}

function pick(text: SettingsText, fields: readonly SettingsField[]): Partial<SettingsText> {
  return Object.fromEntries(fields.map((field) => [field, text[field]]));
}
