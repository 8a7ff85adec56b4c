import { CSPProvider } from '@base-ui/react/csp-provider';
import { Toast } from '@base-ui/react/toast';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchAttention } from './api/attention.ts';
import { queryClient } from './api/query-client.ts';
import { retryUnreached } from './api/reach.ts';
import { applyPreferences } from './app/preferences.ts';
import { preloadPages, router } from './app/router.ts';
import { rememberRows } from './app/row-memory.ts';
import { toastManager } from './parts/toast.ts';
import '@fontsource-variable/inter/wght.css';
import './look/tokens.css';
import './look/base.css';
import './look/controls.css';
import './look/tables.css';
import './look/parts.css';
import './look/shell.css';
import './look/overlays.css';
import './look/calendar.css';
import './look/keys.css';
import './look/matrix.css';
import './look/explain.css';

applyPreferences();
preloadPages();
watchAttention();
retryUnreached();
rememberRows();
const place = document.getElementById('console');
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      {/* The served policy forbids inline styles, which Base UI would otherwise add. */}
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <Toast.Provider toastManager={toastManager}>
            <RouterProvider router={router} />
          </Toast.Provider>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
