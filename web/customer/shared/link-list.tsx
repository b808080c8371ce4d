import type { ReactNode } from 'react';
import type { PageCompany, PageLinks } from '../../../src/api/pages/page-data.ts';
import { customerLinks as text } from '../../shared/text/customer-links.ts';

/** A row of links, which is not printed. */
export function LinkList({ children }: { readonly children: ReactNode }) {
  return (
    <ul data-part="links" className="mt-5 flex flex-wrap gap-x-5 gap-y-2 print:hidden">
      {children}
    </ul>
  );
}

interface CustomerLinksProps {
  readonly company: PageCompany;
  readonly links: PageLinks;
}

/** Where a customer can go from a page: the receipt, the portal, the company. */
export function CustomerLinks({ company, links }: CustomerLinksProps) {
  const { receiptPath, portalPath, companyUrl } = links;
  return (
    <LinkList>
      {receiptPath !== null && (
        <li>
          <a href={receiptPath}>{text.receipt}</a>
        </li>
      )}
      <li>
        <a href={portalPath}>{text.manage}</a>
      </li>
      {companyUrl !== null && (
        <li>
          <a href={companyUrl}>{text.backTo(company.name)}</a>
        </li>
      )}
    </LinkList>
  );
}
