import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Form } from '../../parts/form.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { counted } from '../../parts/messages.ts';
import { Page } from '../../parts/page.tsx';
import { toast } from '../../parts/toast.ts';

const route = getRouteApi('/brands/$brandId/learners/opt-out');
/** The most that the server accepts in one request. */
const batchSize = 10_000;

/** Opts out the learners of a list, typed or from a file. */
export function OptOutPage() {
  const { brandId } = route.useParams();
  const [text, setText] = useState('');
  const put = useChange('putLearners');
  const navigate = useNavigate();
  const id = useId();
  const ids = [...new Set(text.split(/[\s,;]+/).filter((each) => each !== ''))];

  async function submit(): Promise<void> {
    for (let start = 0; start < ids.length; start += batchSize) {
      const items = ids
        .slice(start, start + batchSize)
        .map((each) => ({ tu_id: each, analytics_opt_out: true }));
      await put.mutateAsync({ path: [brandId], body: { items } });
    }
    toast(`${counted(ids.length, 'learner is', 'learners are')} opted out.`);
    await navigate({
      to: '/brands/$brandId/learners',
      params: { brandId },
      search: { out: 'true' },
      ignoreBlocker: true,
    });
  }

  return (
    <Page
      title="Opt out a list of learners"
      lead="One learner id a line. Ids that are not in the directory are added to it as opted out."
    >
      {/* A refused batch is shown below; the ids stay in the field. */}
      <Form
        onSubmit={() => void submit().catch(() => {})}
        isChanged={text.trim() !== ''}
        problem={put.error}
        action={`Opt out ${counted(ids.length, 'learner', 'learners')}`}
        isDisabled={put.isPending || ids.length === 0}
      >
        <FormField
          label="File"
          type="file"
          accept=".txt,.csv,text/plain,text/csv"
          onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
        />
        <div className="field">
          <label htmlFor={id}>Learner ids</label>
          <textarea
            id={id}
            className="input"
            data-mono
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </Form>
    </Page>
  );
}
