import { Marked } from 'marked';

/** A fenced code block of a Markdown page. */
export interface CodeBlock {
  /** The language: the first word after the fence. */
  readonly language: string;
  /** The file that the block is saved as, if the second word names one. */
  readonly file: string | null;
  /** Why the block is not executed, if it is marked with `not-run: <reason>`. */
  readonly notRun: string | null;
  readonly text: string;
}

/** Returns the code blocks of a page, in order. */
export function codeBlocksOf(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const marked = new Marked();
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type !== 'code') return;
    const info = String(token['lang'] ?? '');
    const [, language = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(info) ?? [];
    const notRun = /^not-run: (.+)$/.exec(rest)?.[1] ?? null;
    blocks.push({
      language,
      file: notRun === null && rest !== '' ? rest : null,
      notRun,
      text: String(token['text']),
    });
  });
  return blocks;
}
