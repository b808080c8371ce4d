import { expect, it } from 'vitest';
import {
  type AfterFailure,
  cancelledMail,
  expiredMail,
  pausedMail,
  pauseEndsMail,
  paymentFailedMail,
} from '../../src/domain/messages/mail/contents.ts';
import { foreignText } from '../../src/domain/messages/mail/foreign-text.ts';
import type { MailContent } from '../../src/domain/messages/mail/mail-content.ts';
import type { FailureCode } from '../../src/generated/prisma/client.ts';

const to = {
  company: foreignText('Acme'),
  planName: foreignText('Gold'),
  price: '5.00 USDC every month',
  walletAddress: '11111111111111111111111111111111',
  portalUrl: 'https://dues.example/portal',
};
const failure = {
  required: '5.00 USDC',
  available: '1.00 USDC',
  missing: '4.00 USDC',
};
const retry = { kind: 'RETRY', nextAttempt: '1 May 2026', until: '3 May 2026', isUntilPaid: false } as const;
const pause = { from: '1 May 2026', until: '1 July 2026', keepsAccess: false };

const wordsOf = ({ subject, title, paragraphs, notes = [] }: MailContent) =>
  [subject, title, ...paragraphs, ...notes].join(' ');

const failed = (code: FailureCode, after: AfterFailure = retry) =>
  paymentFailedMail(to, { code, ...failure, after });
const untilPaid = (accessUntil: string | null) =>
  failed('INSUFFICIENT_FUNDS', {
    kind: 'UNTIL_PAID',
    until: '8 May 2026',
    nextAttempt: '10 May 2026',
    accessUntil,
  });
const ENDS = /subscription ends|cancelled|paused|expired/i;
const FAILED = /fail|could not/i;
const NOT_ENDED = /cancelled|paused|has ended/i;

it.each([
  ['a cancellation', cancelledMail(to, '1 May 2026'), /is cancelled/, /fail|pause|overdue/i],
  ['an end after failures', expiredMail(to, 3, null), /failed 3 times/, /cancel|pause|access ends/i],
  ['an end with a grace', expiredMail(to, 3, '9 May 2026'), /access ends on 9 May 2026/, /cancel|pause/i],
  ['a pause', pausedMail(to, pause), /paused from 1 May 2026.*ends on 1 July 2026/, /cancel|fail|ended/i],
  [
    'an endless pause',
    pausedMail(to, { ...pause, until: null }),
    /until it is resumed/,
    /cancel|fail|ended/i,
  ],
  ['the end of a pause', pauseEndsMail(to, '1 July 2026'), /pause .*ends on 1 July 2026/, /cancelled|fail/i],
  ['no balance', failed('INSUFFICIENT_FUNDS'), FAILED, NOT_ENDED],
  ['a revoked approval', failed('APPROVAL_REVOKED'), FAILED, NOT_ENDED],
  ['a frozen account', failed('ACCOUNT_FROZEN'), FAILED, NOT_ENDED],
  ['a closed account', failed('ACCOUNT_CLOSED'), FAILED, NOT_ENDED],
  [
    'a payment that will wait',
    failed('INSUFFICIENT_FUNDS', { ...retry, isUntilPaid: true }),
    /by 3 May 2026, it is collected later in its period, as soon as your wallet has the money/,
    ENDS,
  ],
  [
    'a payment that waits',
    untilPaid(null),
    /add 4.00 USDC by 8 May 2026\. .* until 8 May 2026\. .* tried on 10 May 2026\. You have no access until/,
    ENDS,
  ],
  ['a payment that waits in its grace', untilPaid('9 May 2026'), /your access ends on 9 May 2026/, ENDS],
])('the mail about %s says that cause and no other', (_, mail, cause, others) => {
  expect(wordsOf(mail)).toMatch(cause);
  expect(wordsOf(mail)).not.toMatch(others);
});

it.each([
  [true, 'You keep access.'],
  [false, 'You have no access in the pause.'],
])('the mail about a pause says whether access stays: %s', (keepsAccess, sentence) => {
  expect(wordsOf(pausedMail(to, { ...pause, keepsAccess }))).toContain(sentence);
});
