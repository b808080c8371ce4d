import { createRoot } from 'react-dom/client';
import { PortalPage } from './portal-page.tsx';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no element for the app.');
createRoot(root).render(<PortalPage />);
