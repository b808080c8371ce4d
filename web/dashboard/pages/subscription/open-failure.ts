interface PaymentWithAttempts {
  readonly status: string;
  readonly attempts: readonly { readonly status: string }[];
}

/**
 * The last failed attempt of the due payment; undefined if none failed. Failures of earlier
 * payments say nothing about the due one.
 */
export function openFailure<Payment extends PaymentWithAttempts>(
  payments: readonly Payment[],
): Payment['attempts'][number] | undefined {
  const due = payments.find(({ status }) => status === 'DUE');
  return due?.attempts.findLast(({ status }) => status === 'FAILED');
}
