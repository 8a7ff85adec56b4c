import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** Keeps the current link of a bar in view that is wider than a phone, without moving the page. */
export function useCurrentInView<Element extends HTMLElement>(): RefObject<Element | null> {
  const bar = useRef<Element>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the path
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (!bar.current || !link) return;
    const { left, width } = link.getBoundingClientRect();
    const middle = bar.current.getBoundingClientRect().left + bar.current.clientWidth / 2;
    bar.current.scrollLeft += left + width / 2 - middle;
  }, [pathname]);
  return bar;
}
