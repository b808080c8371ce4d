import { BASE_STYLE } from './layout.ts';

export const DOCS_STYLE = `${BASE_STYLE}
main{max-width:52rem;margin:0 auto;padding:2rem 1rem 4rem}
article{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem;margin:1rem 0}
h2{margin:2.5rem 0 0}
h3{margin:0;font:600 1rem/1.5 ui-monospace,monospace}
h4{margin:1rem 0 .25rem}
.soft,td:nth-child(2){color:var(--soft)}
table{width:100%;border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-top:1px solid var(--line)}
pre{overflow-x:auto;margin:.25rem 0;padding:.75rem;border:1px solid var(--line);border-radius:.5rem}
code,pre{font:.875rem/1.5 ui-monospace,monospace}
`;
