/** Texts of a secret that is shown once. */
export const secret = {
  copy: 'Copy',
  copied: 'Copied',
  done: 'I have stored it',
  notCopied: 'You have not copied it, and it is never shown again.',
  closeAnyway: 'Close without copying',
} as const;
