import { useQueryClient } from '@tanstack/react-query';
import { type Session, signOut } from '../api/session.ts';
import { messages } from './messages.ts';
import { type Preferences, setPreferences, usePreferences } from './preferences.ts';

interface Props {
  readonly session: Session;
  readonly onShortcuts: () => void;
}

/** The name of the user, and the switches of the shell. */
export function ShellFooter({ session, onShortcuts }: Props) {
  const queries = useQueryClient();
  const { scheme, time } = usePreferences();
  const roles: Readonly<Record<string, string>> = messages.roles;
  async function leave(): Promise<void> {
    await signOut();
    queries.clear();
    location.reload();
  }
  return (
    <div className="rail-foot">
      <Switch
        label={messages.time}
        words={messages.times}
        value={time}
        onChange={(value: Preferences['time']) => setPreferences({ time: value })}
      />
      <Switch
        label={messages.scheme}
        words={messages.schemes}
        value={scheme}
        onChange={(value: Preferences['scheme']) => setPreferences({ scheme: value })}
      />
      <p className="who">
        <span className="mono">{session.actor_name ?? session.actor}</span>
        <span className="soft">{roles[session.role] ?? session.role}</span>
      </p>
      <div className="form-row">
        <button className="button" data-kind="plain" type="button" onClick={() => void leave()}>
          {messages.signOut}
        </button>
        <button className="button" data-kind="plain" type="button" onClick={onShortcuts}>
          {messages.shortcuts}{' '}
          <span className="key-hint" aria-hidden="true">
            ?
          </span>
        </button>
      </div>
    </div>
  );
}

interface SwitchProps<Word extends string> {
  readonly label: string;
  readonly words: Readonly<Record<Word, string>>;
  readonly value: Word;
  readonly onChange: (value: Word) => void;
}

function Switch<Word extends string>({ label, words, value, onChange }: SwitchProps<Word>) {
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{label}</legend>
      <div className="segments">
        {(Object.keys(words) as Word[]).map((word) => (
          <button key={word} type="button" aria-pressed={word === value} onClick={() => onChange(word)}>
            {words[word]}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
