/** A comment that is too long. */
interface LongComment {
  /** Counts from 1. */
  readonly line: number;
  readonly found: string;
}

const mostWords = 80;
const mostLines = 4;

/** A doc comment with the beginning of the line after it. */
const docComment = /^[ \t]*\/\*\*([\s\S]*?)\*\/\s*(?:export )?(?:default )?((?:async )?function\b)?/gm;

/**
 * Finds doc comments of more than 80 words, and those of functions that describe them in more than four lines, tags such
 * as `@throws` apart.
 */
export function findLongComments(text: string): LongComment[] {
  return [...text.matchAll(docComment)].flatMap(([, comment = '', isFunction], index, all) => {
    const lines = comment
      .split('\n')
      .map((line) => line.replace(/^\s*\*?\s*/, '').trim())
      .filter((line) => line !== '');
    const firstTag = lines.findIndex((line) => line.startsWith('@'));
    const described = firstTag === -1 ? lines : lines.slice(0, firstTag);
    const words = lines.join(' ').split(/\s+/).length;
    const line = text.slice(0, all[index]?.index).split('\n').length;
    if (words > mostWords) return [{ line, found: `a comment of ${words} words` }];
    if (isFunction !== undefined && described.length > mostLines)
      return [{ line, found: `a function’s comment of ${described.length} lines` }];
    return [];
  });
}
