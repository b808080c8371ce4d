interface Attempted {
  readonly status: string;
  readonly attempts: readonly { readonly status: string }[];
}

/**
 * The last failed attempt of the payment that is open; undefined if none failed. The failures of
 * payments that were collected after all say nothing about the open one.
 */
export function openFailure<Payment extends Attempted>(
  payments: readonly Payment[],
): Payment['attempts'][number] | undefined {
  const open = payments.find(({ status }) => status === 'DUE');
  return open?.attempts.findLast(({ status }) => status === 'FAILED');
}
