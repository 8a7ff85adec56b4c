import { Toast } from '@base-ui/react/toast';

export const toastManager = Toast.createToastManager();

/** Shows a line of text in the corner, for some seconds: what was done. */
export function toast(title: string): void {
  toastManager.add({ title });
}
