import { type Session, useSignOut } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { messages } from './messages.ts';
import { type Preferences, setPreferences, usePreferences } from './preferences.ts';

interface Props {
  readonly session: Session;
  readonly onShortcuts: () => void;
}

/** The name of the user, and the switches of the shell. */
export function ShellFooter({ session, onShortcuts }: Props) {
  const signOut = useSignOut();
  const { scheme, time } = usePreferences();
  const roles: Readonly<Record<string, string>> = messages.roles;
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
        <Button kind="plain" onClick={() => void signOut()}>
          {messages.signOut}
        </Button>
        <Button kind="plain" onClick={onShortcuts}>
          {messages.shortcuts}{' '}
          <span className="key-hint" aria-hidden="true">
            ?
          </span>
        </Button>
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
