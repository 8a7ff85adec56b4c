import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { messages } from './messages.ts';
import { type Question, readChain } from './read-chain.ts';

const words = messages.export;

/** Saves the whole chain of a question as a JSON file. */
export function ExportButton({ question }: { readonly question: Question }) {
  const [isReading, setReading] = useState(false);
  const toast = useToast();

  async function save(): Promise<void> {
    setReading(true);
    try {
      saveFile(`${JSON.stringify(await readChain(question), null, 2)}\n`, nameOf(question));
    } catch (error) {
      toast(words.failed(error instanceof Error ? error.message : String(error)));
    } finally {
      setReading(false);
    }
  }

  return (
    <Button disabled={isReading} onClick={() => void save()}>
      {isReading ? words.reading : words.action}
    </Button>
  );
}

function nameOf({ sku, location }: Question): string {
  return `explain-${sku}-${location}.json`.replace(/[^\w.-]+/g, '_');
}

function saveFile(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
