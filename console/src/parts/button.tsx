import type { ButtonHTMLAttributes } from 'react';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'danger' | 'plain' | undefined;
}

/** A button; without a type, it submits nothing. */
export function Button({ kind, type = 'button', ...props }: Props) {
  return <button {...props} type={type} className="button" data-kind={kind} />;
}
