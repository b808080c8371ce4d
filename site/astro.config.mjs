import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import starlightOpenAPI, { openAPISidebarGroups } from 'starlight-openapi';
import { readPages } from './pages.ts';
import { RANKING } from './questions.ts';
import { sidebar } from './sidebar.ts';

/** Builds the site into `dist/site`, which the API serves under `/docs`. */
export default defineConfig({
  base: '/docs',
  outDir: '../dist/site',
  trailingSlash: 'always',
  image: { service: passthroughImageService() },
  // Scripts and styles stay files, so that a page's content security policy needs few hashes.
  build: { inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    starlight({
      title: 'dues',
      description: 'Recurring billing for merchants on Solana.',
      customCss: ['./src/styles/site.css'],
      components: { EditLink: './src/components/markdown-link.astro', Head: './src/components/head.astro' },
      plugins: [
        starlightOpenAPI([
          { base: 'rest', schema: './openapi.json', sidebar: { label: 'REST reference', collapsed: true } },
        ]),
      ],
      sidebar: sidebar(await readPages(), openAPISidebarGroups),
      pagefind: { ranking: RANKING },
      tableOfContents: { maxHeadingLevel: 3 },
    }),
  ],
});
