import type { VerifyReceiptData } from '../../../src/api/pages/page-data.ts';
import { Button } from '../../shared/components/button.tsx';
import { Card } from '../../shared/components/card.tsx';
import { Field } from '../../shared/components/field.tsx';
import { verifyReceiptText as text } from '../../shared/text/verify-receipt.ts';
import type { PageView } from '../shared/document.tsx';
import { Frame, Heading, Problem } from '../shared/frame.tsx';
import { LinkList } from '../shared/link-list.tsx';

/** Compares a receipt with the chain: a pasted receipt, or the receipt of a link. */
export const verifyReceipt: PageView<VerifyReceiptData> = {
  title: () => text.title,
  hasForm: true,
  Content: ({ problem, isUnreadable, verdict, form, receiptPath }) => (
    <Frame>
      <Heading>{text.title}</Heading>
      <Card>
        <div className="grid gap-4">
          {problem !== null && <Problem>{problem}</Problem>}
          {isUnreadable && <Problem>{text.unreadable}</Problem>}
          {verdict && <Verdict {...verdict} />}
          {form && <PasteForm {...form} />}
          {receiptPath !== null && (
            <LinkList>
              <li>
                <a href={receiptPath}>{text.back}</a>
              </li>
            </LinkList>
          )}
        </div>
      </Card>
    </Frame>
  ),
};

function Verdict({
  number,
  seller,
  agrees,
  sentence,
  unchecked,
  checks,
}: NonNullable<VerifyReceiptData['verdict']>) {
  const title = text.receipt(number, seller);
  return (
    <>
      {agrees ? (
        <p role="status" className="rounded-md bg-good-ground px-3 py-2 font-semibold text-good">
          {text.agrees(title)}
        </p>
      ) : (
        <Problem>{text.disagrees(title)}</Problem>
      )}
      <p>{sentence}</p>
      {unchecked !== null && <p className="text-soft">{unchecked}</p>}
      <table className="w-full">
        <tbody>
          {checks.map((check) => (
            <tr key={check.statement}>
              <td className="border-t border-line py-2 pr-4">{check.statement}</td>
              <td className="border-t border-line py-2">
                {check.agrees ? text.yes : <strong>{text.no}</strong>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function PasteForm({ text: pasted, maxLength, ownKey }: NonNullable<VerifyReceiptData['form']>) {
  return (
    <form method="post" action="/receipts/verify" className="grid gap-3">
      <Field label={text.label} hint={text.hint}>
        {(control) => (
          <textarea
            {...control}
            name="receipt"
            rows={8}
            required
            spellCheck="false"
            maxLength={maxLength}
            defaultValue={pasted}
            className={`${control.className} font-mono text-sm`}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" className="min-h-11 w-full">
        {text.compare}
      </Button>
      <p className="text-soft">
        {text.ownKey} <code>{ownKey}</code>.
      </p>
    </form>
  );
}
