import { Toast } from '@base-ui/react/toast';
import { messages } from './messages.ts';

/** Shows what was done, in the corner, for some seconds. */
export function Toasts() {
  const { toasts } = Toast.useToastManager();
  return (
    <Toast.Portal>
      <Toast.Viewport className="toasts">
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className="toast">
            <Toast.Content className="toast-content">
              <Toast.Title render={<p />} />
              <Toast.Close className="button" data-kind="plain">
                {messages.close}
              </Toast.Close>
            </Toast.Content>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
