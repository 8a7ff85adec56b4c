import { type ReactNode, useEffect, useRef, useState } from 'react';

interface Props {
  /** Names the frame for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A frame that scrolls sideways. If nothing in it takes the focus, the frame does, so that arrow keys scroll it. */
export function ScrollFrame({ label, children }: Props) {
  const frame = useRef<HTMLElement>(null);
  const [takesFocus, setTakesFocus] = useState(false);
  useEffect(() => {
    const node = frame.current;
    if (node === null) return;
    const observer = new ResizeObserver(() => {
      const isCut = node.scrollWidth > node.clientWidth;
      setTakesFocus(isCut && node.querySelector('a, button, input, [tabindex="0"]') === null);
    });
    observer.observe(node);
    for (const child of node.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      ref={frame}
      className="table-frame"
      aria-label={takesFocus ? `${label}, scrolls sideways` : undefined}
      tabIndex={takesFocus ? 0 : undefined}
    >
      {children}
    </section>
  );
}
