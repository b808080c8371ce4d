import { createContext } from 'react';

/**
 * Draws a QR code as SVG. Only the server has the library for it; in the browser the result is empty,
 * and the codes stay as the server has rendered them.
 */
export const QrDrawing = createContext<(text: string) => string>(() => '');
