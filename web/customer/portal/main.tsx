import { createRoot } from 'react-dom/client';
import { keepFocus } from '../../shared/keyboard/keep-focus.ts';
import { PortalPage } from './portal-page.tsx';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no element for the app.');
keepFocus();
createRoot(root).render(<PortalPage />);
