import { createContext } from 'react';

/** The name of the brand whose pages are open, for the title of the tab. */
export const BrandName = createContext<string | undefined>(undefined);
