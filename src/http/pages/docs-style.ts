import { BASE_STYLE } from './layout.ts';

export const DOCS_STYLE = `${BASE_STYLE}
html{scroll-padding-top:1rem}
main{max-width:62rem;margin:0 auto;padding:2.5rem 1rem 4rem}
h1{margin:0;letter-spacing:-.02em}
h2{margin:3rem 0 0}
h2+p{margin:.25rem 0 0}
h3{margin:0;font-size:1rem}
h4{margin:1.25rem 0 .375rem;font-size:.9375rem}
.soft{color:var(--soft)}
nav{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(27rem,100%),1fr));gap:1rem 2rem;margin:1.5rem 0 0;padding:1.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card)}
nav ul{list-style:none;margin:.25rem 0 0;padding:0}
nav div>a{font-weight:600;color:inherit;text-decoration:none}
nav li a{display:flex;align-items:baseline;gap:.375rem;padding:.125rem 0;text-decoration:none;color:var(--soft)}
nav a:hover{text-decoration:underline}
.method{display:inline-block;min-width:3rem;padding:.0625rem .375rem;border-radius:.375rem;background:var(--good-ground);color:var(--good);font:600 .75rem/1.5 ui-monospace,monospace;text-align:center}
.post{background:var(--warn-ground);color:var(--warn)}
.path{font:.875rem/1.5 ui-monospace,monospace}
nav .path{min-width:0;font-size:.8125rem}
nav .method{flex:none}
h3 .path{font-weight:600;font-size:1rem}
article{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.5rem;margin:1rem 0}
article>p{margin:.375rem 0 0}
article>p+table{margin-top:.625rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
.fields{table-layout:fixed}
.fields th{width:13rem}
.fields td:nth-child(2){width:12rem;color:var(--soft)}
th,td{text-align:left;vertical-align:top;padding:.4375rem .75rem .4375rem 0;border-top:1px solid var(--line)}
th{font-weight:600;width:4rem}
pre{overflow-x:auto;margin:.75rem 0 0;padding:.875rem;border:1px solid var(--line);border-radius:.625rem;background:var(--ground)}
code,pre{font:.875rem/1.5 ui-monospace,monospace}
details{margin:1rem 0 0}
summary{cursor:pointer;color:var(--soft)}
details table{margin:.5rem 0 0}
@media(max-width:40rem){article{padding:1.125rem}.fields tr{display:block;padding:.4375rem 0;border-top:1px solid var(--line)}.fields th,.fields td{display:inline;width:auto;padding:0 .375rem 0 0;border:0}.fields td:last-child{display:block}}
`;
