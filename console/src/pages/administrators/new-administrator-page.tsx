import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { useBrandChoices } from '../../parts/filters.tsx';
import { Form } from '../../parts/form.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { BrandLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import { ShownSecret } from '../../parts/shown-secret.tsx';

const roleNames = {
  administrator: 'Administrator',
  operator: 'Operator',
  support: 'Support',
} as const;
const roleHints = {
  administrator: 'Everything, in all brands.',
  operator: 'Keys, feeds, datasets and learners of some brands.',
  support: 'Reads all or some brands, changes nothing, never sees a secret.',
} as const;

type Role = keyof typeof roleNames;

const roles = Object.keys(roleNames) as Role[];

/** Creates an administrator, and shows the token once. */
export function NewAdministratorPage() {
  const create = useChange('createAdministrator', { isShownOnce: true });
  // The token lives in this component only.
  const [issued, setIssued] = useState<ResponseOf<'createAdministrator'> | null>(null);
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('support');
  const [brands, setBrands] = useState<readonly number[]>([]);
  const [expires, setExpires] = useState('');
  const faults = create.error?.errors ?? {};

  function submit(): void {
    const body = {
      name,
      role,
      brand_ids: role === 'administrator' || brands.length === 0 ? null : brands,
      expires_at: expires === '' ? null : `${expires}T23:59:59Z`,
    };
    create.mutate({ body }, { onSuccess: setIssued });
  }

  if (issued !== null) return <IssuedToken name={issued.name} token={issued.token} />;
  return (
    <Page title="New administrator">
      <Form
        onSubmit={submit}
        isChanged={name !== '' || brands.length > 0 || expires !== ''}
        problem={create.error}
        action="Create the administrator"
        isDisabled={create.isPending}
      >
        <FormField
          label="Name"
          autoFocus
          required
          value={name}
          faults={faults['name']}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset className="field">
          <legend className="legend">Role</legend>
          {roles.map((each) => (
            <label key={each} className="choice">
              <input type="radio" name="role" checked={role === each} onChange={() => setRole(each)} />
              <span>
                {roleNames[each]} <span className="soft">{roleHints[each]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {role !== 'administrator' && (
          <BrandsField
            brands={brands}
            isRequired={role === 'operator'}
            faults={faults['brand_ids']}
            onChange={setBrands}
          />
        )}
        <FormField
          label="Expires on"
          hint="At the end of this UTC day. Empty: never."
          type="date"
          value={expires}
          faults={faults['expires_at']}
          onChange={(event) => setExpires(event.target.value)}
        />
      </Form>
    </Page>
  );
}

/** Shows the token of a new administrator; null: it was lost on its way. */
function IssuedToken({ name, token }: { readonly name: string; readonly token: string | null }) {
  const isLost = token === null;
  return (
    <Page
      title={isLost ? 'The administrator exists, its token is lost' : 'This token is shown once'}
      tabTitle={name}
      lead={
        isLost
          ? undefined
          : 'Give it to the person. It signs in to this console, and works as a bearer token.'
      }
    >
      <ShownSecret
        secret={token}
        lost="The administrator was created, but the connection broke before its token arrived. Remove it in the list and create it again."
      />
      <p>
        <Link to="/administrators" className="button" ignoreBlocker>
          {isLost ? 'To the list' : 'I have stored the token'}
        </Link>
      </p>
    </Page>
  );
}

interface Props {
  /** Ids, in the order in which they were chosen. */
  readonly brands: readonly number[];
  readonly isRequired: boolean;
  readonly faults: readonly string[] | undefined;
  readonly onChange: (brands: readonly number[]) => void;
}

/** Chooses brands by name. One that is not in the list is chosen by its id and Enter. */
function BrandsField({ brands, isRequired, faults, onChange }: Props) {
  const [text, setText] = useState('');
  const suggestions = useBrandChoices(text);
  const list = useId();

  function choose(typed: string): void {
    const id = Number(typed.trim());
    const isId = Number.isInteger(id) && id > 0;
    setText(isId ? '' : typed);
    if (isId && !brands.includes(id)) onChange([...brands, id]);
  }

  return (
    <>
      <FormField
        label="Brands"
        hint="A name from the list, or an id and Enter. None: all brands. An operator needs some."
        required={isRequired && brands.length === 0}
        autoComplete="off"
        list={list}
        value={text}
        faults={faults}
        onChange={({ target, nativeEvent }) => {
          // A brand was chosen from the list.
          if ((nativeEvent as InputEvent).inputType === 'insertReplacementText') choose(target.value);
          else setText(target.value);
        }}
        onBlur={() => choose(text)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text === '') return;
          event.preventDefault();
          choose(text);
        }}
      />
      <datalist id={list}>
        {suggestions.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </datalist>
      {brands.length > 0 && (
        <ul className="names" aria-label="Chosen brands">
          {brands.map((id) => (
            <li key={id}>
              <BrandLink brandId={id} />
              <Button
                kind="plain"
                aria-label={`Leave out brand ${id}`}
                onClick={() => onChange(brands.filter((each) => each !== id))}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
