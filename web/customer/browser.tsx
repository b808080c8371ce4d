// The script of the pages that the API renders: it renders the page of the document once more, so
// that the page reacts. Its pages are those that have a script.
import { hydrateRoot } from 'react-dom/client';
import { completedCheckout } from './checkout/completed-checkout.tsx';
import { endedCheckout } from './checkout/ended-checkout.tsx';
import { openCheckout } from './checkout/open-checkout.tsx';
import { dataIn, rootOf } from './shared/document.tsx';

const page = dataIn(document);
const root = rootOf(document);
if (page?.name === 'openCheckout') hydrateRoot(root, <openCheckout.Content {...page.data} />);
if (page?.name === 'endedCheckout') hydrateRoot(root, <endedCheckout.Content {...page.data} />);
if (page?.name === 'completedCheckout') hydrateRoot(root, <completedCheckout.Content {...page.data} />);
