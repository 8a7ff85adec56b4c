import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useChange } from '../../api/use-api.ts';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { messages } from './messages.ts';

type Role = keyof typeof messages.roles;

const roles = Object.keys(messages.roles) as Role[];

/** Creates an administrator, and shows the token once. */
export function NewAdministratorPage() {
  const create = useChange('createAdministrator');
  // The token lives in this component only.
  const [issued, setIssued] = useState<ResponseOf<'createAdministrator'> | null>(null);
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('support');
  const [brands, setBrands] = useState('');
  const [expires, setExpires] = useState('');
  const faults = create.error?.errors ?? {};

  function submit(event: FormEvent): void {
    event.preventDefault();
    const ids = brands.split(/[\s,;]+/).filter((each) => each !== '');
    const body = {
      name,
      role,
      brand_ids: role === 'administrator' || ids.length === 0 ? null : ids.map(Number),
      expires_at: expires === '' ? null : `${expires}T23:59:59Z`,
    };
    create.mutate({ body }, { onSuccess: setIssued });
  }

  if (issued !== null) {
    return (
      <div className="page">
        <PageHead title={messages.issuedTitle} tabTitle={issued.name} lead={messages.issuedLead} />
        <p className="secret">
          <CopyableId id={issued.token} />
        </p>
        <p>
          <Link to="/administrators" className="button">
            {messages.done}
          </Link>
        </p>
      </div>
    );
  }
  return (
    <div className="page">
      <PageHead title={messages.create} />
      <form className="form" onSubmit={submit}>
        <FormField
          label={messages.name}
          required
          value={name}
          faults={faults['name']}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset className="field">
          <legend className="legend">{messages.role}</legend>
          {roles.map((each) => (
            <label key={each} className="choice">
              <input type="radio" name="role" checked={role === each} onChange={() => setRole(each)} />
              <span>
                {messages.roles[each]} <span className="soft">{messages.roleHints[each]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {role !== 'administrator' && (
          <FormField
            label={messages.brands}
            hint={messages.brandsHint}
            isMono
            required={role === 'operator'}
            value={brands}
            faults={faults['brand_ids']}
            onChange={(event) => setBrands(event.target.value)}
          />
        )}
        <FormField
          label={messages.expires}
          hint={messages.expiresHint}
          type="date"
          value={expires}
          faults={faults['expires_at']}
          onChange={(event) => setExpires(event.target.value)}
        />
        {create.isError && <ErrorNote problem={create.error} />}
        <div className="form-row">
          <button className="button" data-kind="primary" type="submit" disabled={create.isPending}>
            {messages.submit}
          </button>
        </div>
      </form>
    </div>
  );
}
