import { describe, expect, it } from 'vitest';
import { openFailure } from '../../web/dashboard/pages/subscription/open-failure.ts';

const lowBalance = { status: 'FAILED', failureCode: 'INSUFFICIENT_FUNDS' };
const approvalGone = { status: 'FAILED', failureCode: 'APPROVAL_REVOKED' };
const succeeded = { status: 'SUCCEEDED', failureCode: null };
const recovered = { status: 'SUCCEEDED', attempts: [lowBalance, succeeded] };

describe('why a subscription is past due', () => {
  it('is the missing approval, not the low balance of an earlier payment', () => {
    expect(openFailure([{ status: 'DUE', attempts: [approvalGone] }, recovered])).toBe(approvalGone);
  });

  it('is the last failure of the open payment', () => {
    expect(openFailure([{ status: 'DUE', attempts: [lowBalance, approvalGone] }])).toBe(approvalGone);
  });

  it('is not known while the open payment has no failure', () => {
    expect(openFailure([{ status: 'DUE', attempts: [{ status: 'VOID' }] }, recovered])).toBeUndefined();
    expect(openFailure([recovered])).toBeUndefined();
  });
});
