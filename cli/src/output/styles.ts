import { styleText } from 'node:util';

/** Colours of messages on standard error; they return the text unchanged without a terminal or with NO_COLOR. */
export type Styles = Readonly<Record<'bold' | 'dim' | 'green' | 'red' | 'yellow', (text: string) => string>>;

export function createStyles(isOn: boolean): Styles {
  const style = (name: Parameters<typeof styleText>[0]) => (text: string) =>
    isOn ? styleText(name, text) : text;
  return {
    bold: style('bold'),
    dim: style('dim'),
    green: style('green'),
    red: style('red'),
    yellow: style('yellow'),
  };
}
