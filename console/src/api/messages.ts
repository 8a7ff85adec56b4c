/** The words about requests without a clear outcome. */
export const messages = {
  noAnswer:
    'The server cannot be reached, and may have done it. Press the button again: nothing is made twice.',
  sentBefore:
    'What this form sent before has been created, with its earlier values. Look for it; if you press the button again, another one is created.',
} as const;
