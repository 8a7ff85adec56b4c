import type { ResponseOf } from '../../api/call.ts';
import { messages } from './messages.ts';

interface Props {
  readonly product: Pick<
    ResponseOf<'getProduct'>,
    'title' | 'short_description' | 'default_language' | 'versions'
  >;
}

const words = messages.product;

/** The texts of a product in each language, those of its default language first. */
export function ProductTexts({ product }: Props) {
  const { title, short_description, default_language: language, versions } = product;
  const others = Object.entries(versions).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <section className="section" aria-labelledby="texts">
      <h2 id="texts">{words.texts}</h2>
      <dl className="facts">
        <Texts language={language} title={title} description={short_description} isDefault />
        {others.map(([code, texts]) => (
          <Texts key={code} language={code} title={texts.title} description={texts.short_description} />
        ))}
      </dl>
    </section>
  );
}

interface TextsProps {
  readonly language: string;
  readonly title: string | null | undefined;
  readonly description: string | null | undefined;
  readonly isDefault?: boolean;
}

function Texts({ language, title, description, isDefault = false }: TextsProps) {
  return (
    <div>
      <dt>
        <span className="mono">{language}</span> {isDefault && words.isDefault}
      </dt>
      <dd lang={language} dir="auto">
        <strong>{title}</strong>
        {description && <p className="soft">{description}</p>}
      </dd>
    </div>
  );
}
