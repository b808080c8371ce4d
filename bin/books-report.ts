import { styleText } from 'node:util';
import { isSound, type MerchantAudit } from '../src/domain/books-audit/audit-books.ts';
import { decimalAmount } from './decimal-amount.ts';

/** The table of `dues audit` and `dues reconcile`, and under it what differs, with the signatures to look at. */
export function printBooks(audits: readonly MerchantAudit[]): void {
  if (audits.length === 0) {
    console.log('There are no plans, and so nothing was collected.');
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
  printTable(['merchant', 'name', 'environment', 'mint', 'charged on chain', 'booked', 'difference'], rows);
  for (const audit of audits) printFindings(audit);
}

/** 0, or 1 where somebody has to look at something. */
export function exitCodeOf(audits: readonly MerchantAudit[]): number {
  return audits.every(isSound) ? 0 : 1;
}

function printFindings(audit: MerchantAudit): void {
  const { differences, unreadable, outside, decimals } = audit;
  const about = `${audit.merchantId} (${audit.environment.toLowerCase()})`;
  for (const { subscription, periodStart, chargedOnChain, booked, signatures } of differences) {
    const period = new Date(Number(periodStart) * 1000).toISOString();
    const amounts = `${decimalAmount(chargedOnChain, decimals)} on chain, ${decimalAmount(booked, decimals)} booked`;
    console.log(
      styleText('red', `${about}: subscription ${subscription}, period from ${period}: ${amounts}`) +
        `\n  ${signatures.join('\n  ') || 'no transaction'}`,
    );
  }
  for (const [signature, reason] of unreadable) {
    console.log(styleText('red', `${about}: a transaction could not be read: ${reason}\n  ${signature}`));
  }
  if (outside > 0n) {
    const amount = decimalAmount(outside, decimals);
    console.log(`${about}: ${amount} more were collected without dues, from who never subscribed through it`);
  }
}

/** Numbers end in one column. */
function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const isNumber = (column: number) => column >= headings.length - 3;
  for (const row of [headings, ...rows]) {
    const cells = row.map((cell, column) =>
      isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    console.log(cells.join('  ').trimEnd());
  }
}
