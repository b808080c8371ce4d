import type { PageFact, ReceiptData, WaitingReceiptData } from '../../../src/api/pages/page-data.ts';
import { Card } from '../../shared/components/card.tsx';
import { receiptPage as text } from '../../shared/text/receipt-page.ts';
import type { PageView } from '../shared/document.tsx';
import { Frame, Heading } from '../shared/frame.tsx';
import { CustomerLinks, LinkList } from '../shared/link-list.tsx';
import { TestNote } from '../shared/test-note.tsx';

/** The page of a receipt. On paper it has no links. */
export const receipt: PageView<ReceiptData> = {
  title: ({ texts, company }) => text.titleAt(texts.title, company.name),
  Content: ReceiptPage,
};

function ReceiptPage({ company, texts, path, explorerUrl, hasPdf, links }: ReceiptData) {
  const { title, date, amount, testNote, seller, buyer, facts, proof, later } = texts;
  return (
    <Frame company={company}>
      {testNote !== null && <TestNote>{testNote}</TestNote>}
      <Card>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <Heading>{title}</Heading>
          <p>{date}</p>
        </div>
        <div className="grid gap-x-8 sm:grid-cols-2">
          <Side title={text.from} lines={seller} />
          <Side title={text.to} lines={buyer} />
        </div>
        <h2 className={partClass}>{text.payment}</h2>
        <table className="w-full">
          <tbody>
            <Rows facts={facts} />
            <tr className="font-semibold">
              <th scope="row" className={`${labelClass} font-semibold`}>
                {text.amount}
              </th>
              <td className={valueClass}>{amount}</td>
            </tr>
            <Rows facts={later} />
          </tbody>
        </table>
        <h2 className={partClass}>{text.proof}</h2>
        <table className="w-full text-[0.8125rem] leading-5">
          <tbody>
            <Rows facts={proof} />
          </tbody>
        </table>
        <LinkList>
          {hasPdf && (
            <li>
              <a href={`${path}/receipt.pdf`} download>
                {text.pdf}
              </a>
            </li>
          )}
          <li>
            <a href={`${path}/receipt.json`} download>
              {text.json}
            </a>
          </li>
          <li>
            <a href={`${path}/check`}>{text.compare}</a>
          </li>
          {explorerUrl !== null && (
            <li>
              <a href={explorerUrl} rel="noreferrer">
                {text.transaction}
              </a>
            </li>
          )}
        </LinkList>
      </Card>
      <CustomerLinks company={company} links={links} />
    </Frame>
  );
}

const partClass = 'mt-6 mb-1 text-sm font-semibold text-soft';
const labelClass = 'w-[35%] border-t border-line py-2 pr-4 text-left align-top';
const valueClass = 'border-t border-line py-2 text-left align-top';

function Side({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return (
    <section>
      <h2 className={partClass}>{title}</h2>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
        <p key={index}>{line}</p>
      ))}
    </section>
  );
}

function Rows({ facts }: { readonly facts: readonly PageFact[] }) {
  return facts.map(([label, value], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
    <tr key={index}>
      <th scope="row" className={`${labelClass} font-normal text-soft`}>
        {label}
      </th>
      <td className={valueClass}>{value}</td>
    </tr>
  ));
}

/** The page of a payment whose receipt is not issued yet. It reloads itself. */
export const waitingReceipt: PageView<WaitingReceiptData> = {
  title: () => text.documentTitle,
  reloadSeconds: () => 5,
  Content: ({ company, links }) => (
    <Frame company={company}>
      <Card>
        <Heading hint={text.waiting.hint}>{text.waiting.title}</Heading>
      </Card>
      <CustomerLinks company={company} links={links} />
    </Frame>
  ),
};

/** The page of a link without a receipt. */
export const noReceipt: PageView<object> = {
  title: () => text.documentTitle,
  Content: () => (
    <Frame>
      <Card>
        <Heading hint={text.none.hint}>{text.none.title}</Heading>
      </Card>
    </Frame>
  ),
};
