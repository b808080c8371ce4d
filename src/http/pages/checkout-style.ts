import { BASE_STYLE } from './layout.ts';

export const CHECKOUT_STYLE = `${BASE_STYLE}
main{max-width:30rem;margin:0 auto;padding:1.5rem 1rem 3rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.5rem}
.badge{display:block;background:var(--warn-ground);color:var(--warn);border-radius:.5rem;padding:.5rem .75rem;margin:0 0 1rem;font-weight:600}
.seller{display:flex;align-items:center;gap:.75rem;margin:0 0 1.25rem;font-weight:600}
.seller img{max-height:2.5rem;max-width:8rem}
h1{font-size:1.5rem;line-height:1.25;margin:0}
.price{font-size:1.125rem;margin:.25rem 0 0}
.soft,dt{color:var(--soft)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:1.25rem 0}
dd{margin:0;text-align:right}
.button{display:block;text-align:center;background:var(--accent);color:var(--on-accent);border-radius:.625rem;padding:.8rem 1rem;font-weight:600;text-decoration:none}
.code{display:block;width:13rem;max-width:100%;margin:1.25rem auto .5rem;padding:.5rem;background:#fff;border-radius:.5rem}
.code svg{display:block;width:100%;height:auto}
.centred{text-align:center}
section{border-top:1px solid var(--line);margin-top:1.25rem;padding-top:1.25rem}
h2{font-size:1rem;margin:0 0 .5rem}
ul{margin:0;padding-left:1.25rem}
footer{margin-top:1rem;text-align:center;color:var(--soft)}
`;
