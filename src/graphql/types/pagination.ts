import type { Page } from '../../domain/merchant/page.ts';
import { builder } from '../builder.ts';

export const Pagination = builder.objectRef<Page<unknown>['pagination']>('Pagination').implement({
  description: 'Where a page is among all.',
  fields: (t) => ({
    page: t.exposeInt('page', { description: 'This page, from 1.' }),
    limit: t.exposeInt('limit', { description: 'Rows a page.' }),
    total: t.exposeInt('total', { description: 'Rows in all.' }),
    pages: t.exposeInt('pages', { description: 'Pages in all.' }),
  }),
});
