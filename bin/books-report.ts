import { styleText } from 'node:util';
import { isSound, type MerchantAudit } from '../src/domain/maintenance/books-check/audit-books.ts';
import type { WrongRows } from '../src/domain/maintenance/books-check/rows/check-rows.ts';
import type { Environment } from '../src/generated/prisma/client.ts';
import { decimalAmount } from './decimal-amount.ts';
import { tableLines } from './table-lines.ts';

/**
 * Prints the table of `dues audit` and `dues reconcile`, followed by the differences with their
 * signatures.
 */
export function printBooks(audits: readonly MerchantAudit[]): void {
  if (audits.length === 0) {
    console.log('There are no plans, so nothing was collected.');
    return;
  }
  const rows = audits.map((audit) => {
    const { decimals, chargedOnChain, booked } = audit;
    return [
      audit.merchantId,
      audit.companyName,
      audit.environment.toLowerCase(),
      audit.mint,
      decimalAmount(chargedOnChain, decimals),
      decimalAmount(booked, decimals),
      decimalAmount(chargedOnChain - booked, decimals),
    ];
  });
  const headings = ['merchant', 'name', 'environment', 'mint', 'charged on chain', 'booked', 'difference'];
  console.log(tableLines(headings, rows, 3).join('\n'));
  for (const audit of audits) printFindings(audit);
  const unsound = audits.filter((audit) => !isSound(audit)).length;
  console.log(
    unsound === 0
      ? 'The books agree with the chain.'
      : styleText(
          'red',
          `The books and the chain differ in ${unsound} of ${audits.length} lines: see above.`,
        ),
  );
}

/** Prints what `dues audit --books` found in the rows of an environment. */
export function printWrongRows(environment: Environment, wrong: readonly WrongRows[]): void {
  const label = environment.toLowerCase();
  for (const { name, problem, rows, total } of wrong) {
    console.log(styleText('red', `${label}: ${name}: ${problem}`));
    for (const { id, detail } of rows) console.log(`  ${id}: ${detail}`);
    if (total > rows.length) console.log(`  and ${total - rows.length} more`);
  }
  if (wrong.length === 0) console.log(`${label}: the rows agree with one another.`);
}

/** The exit code: 0, or 1 if an operator must check something. */
export function exitCodeOf(audits: readonly MerchantAudit[]): number {
  return audits.every(isSound) ? 0 : 1;
}

function printFindings(audit: MerchantAudit): void {
  const { differences, refunds, unreadable, outside, decimals } = audit;
  const label = `${audit.merchantId} (${audit.environment.toLowerCase()})`;
  for (const { subscription, periodStart, chargedOnChain, booked, signatures } of differences) {
    const period = new Date(Number(periodStart) * 1000).toISOString();
    const amounts = `${decimalAmount(chargedOnChain, decimals)} on chain, ${decimalAmount(booked, decimals)} booked`;
    console.log(
      styleText('red', `${label}: subscription ${subscription}, period from ${period}: ${amounts}`) +
        `\n  ${signatures.join('\n  ') || 'no transaction'}`,
    );
  }
  for (const { refundId, sentOnChain, booked, signatures } of refunds.differences) {
    const amounts = `${decimalAmount(sentOnChain, decimals)} on chain, ${decimalAmount(booked, decimals)} booked`;
    console.log(
      `${styleText('red', `${label}: refund ${refundId}: ${amounts}`)}\n  ${signatures.join('\n  ')}`,
    );
  }
  for (const { refundId, amount, signatures } of refunds.sentAgain) {
    const excess = `${decimalAmount(amount, decimals)} more than the refund went to the customer`;
    console.log(
      `${styleText('red', `${label}: refund ${refundId} was sent again: ${excess}`)}\n  ${signatures.join('\n  ')}`,
    );
  }
  for (const [signature, reason] of unreadable) {
    console.log(styleText('red', `${label}: a transaction could not be read: ${reason}\n  ${signature}`));
  }
  if (refunds.booked > 0n || refunds.sentOnChain > 0n) {
    const [sent, booked] = [refunds.sentOnChain, refunds.booked].map((sum) => decimalAmount(sum, decimals));
    console.log(`${label}: refunds: ${sent} on chain, ${booked} booked`);
  }
  if (refunds.outside > 0n) {
    const amount = decimalAmount(refunds.outside, decimals);
    console.log(`${label}: ${amount} more were sent by further transfers for refunds that were already paid`);
  }
  if (outside > 0n) {
    const amount = decimalAmount(outside, decimals);
    console.log(
      `${label}: ${amount} more were collected without dues, from wallets that never subscribed through it`,
    );
  }
}
