import { BASE_STYLE } from './layout.ts';

export const CHECKOUT_STYLE = `${BASE_STYLE}
[hidden]{display:none!important}
main{max-width:28rem;margin:0 auto;padding:2rem 1rem 3rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.5rem;box-shadow:0 1px 2px rgb(0 0 0/.04),0 8px 24px rgb(0 0 0/.04)}
.badge{background:var(--warn-ground);color:var(--warn);border-radius:.625rem;padding:.5rem .75rem;margin:0 0 1rem;font-size:.875rem;font-weight:600;text-align:center}
.seller{display:flex;align-items:center;gap:.75rem;margin:0 0 1.25rem;font-weight:600}
.seller img{height:2.5rem;max-width:8rem;border-radius:.5rem;object-fit:contain}
.mark{display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:.625rem;background:var(--brand);color:var(--on-brand);border:1px solid var(--accent);font-size:1.125rem}
h1{font-size:1.125rem;line-height:1.4;font-weight:500;margin:0;color:var(--soft)}
.price{display:flex;flex-wrap:wrap;align-items:baseline;column-gap:.375rem;margin:.125rem 0 0;color:var(--soft)}
.price strong{color:var(--ink);font-size:2rem;line-height:1.2;letter-spacing:-.02em;margin-right:.125rem;font-variant-numeric:tabular-nums}
.trial[hidden]{display:none}
.trial{display:inline-block;margin:.5rem 0 0;padding:.125rem .625rem;border-radius:1rem;background:var(--good-ground);color:var(--good);font-size:.875rem;font-weight:600}
.soft,dt{color:var(--soft)}
.soft{margin:.75rem 0 0}
dl{display:grid;grid-template-columns:fit-content(50%) 1fr;gap:.375rem 1rem;margin:1rem 0 0;font-size:.9375rem}
dl div{display:contents}
dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}
code{font:.875em ui-monospace,monospace}
.step{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.step[role=status]{text-align:center}
[data-step]{min-height:12rem}
main:has([data-step=working]:not([hidden])) .cancel{visibility:hidden}
.nothing{text-align:center}
.nothing h1{color:var(--ink);font-weight:600}
h2{font-size:1rem;line-height:1.4;margin:0}
h2:focus{outline:none}
.wallets{display:grid;gap:.5rem;list-style:none;margin:.75rem 0 0;padding:0}
.wallets:empty{display:none}
.wallet,.none{width:100%;min-height:3.25rem;margin:.75rem 0 0;padding:.625rem .875rem;border:1px solid var(--line);border-radius:.75rem}
.wallet{display:flex;align-items:center;gap:.75rem;margin:0;background:none;color:inherit;font:inherit;font-weight:600;text-align:left;cursor:pointer}
.wallet::after{content:"";width:.5rem;height:.5rem;margin-left:auto;border:solid var(--soft);border-width:2px 2px 0 0;rotate:45deg}
.wallet:hover{border-color:var(--accent)}
.wallet img{width:2rem;height:2rem;border-radius:.5rem}
.none{color:var(--soft);font-size:.9375rem;border-style:dashed}
.button{display:block;width:100%;margin:1rem 0 0;padding:.8rem 1rem;border:1px solid var(--accent);border-radius:.75rem;background:var(--brand);color:var(--on-brand);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{filter:brightness(1.08)}
label{font-weight:600;font-size:.9375rem}
.field{display:block;width:100%;margin:.375rem 0 0;padding:.75rem .875rem;border:1px solid var(--soft);border-radius:.75rem;background:var(--card);color:inherit;font:inherit}
form .problem{margin:0 0 1rem}
.plain{display:block;margin:.5rem auto 0;padding:.5rem;border:0;background:none;color:var(--soft);font:inherit;font-size:.9375rem;text-decoration:underline;cursor:pointer}
details{margin:1rem 0 0;font-size:.9375rem}
summary{cursor:pointer;color:var(--soft);text-align:center}
.code{width:12rem;max-width:100%;margin:1rem auto 0;padding:.5rem;background:#fff;border-radius:.75rem}
.code svg{display:block;width:100%;height:auto}
details .soft{text-align:center}
.problem{margin:1.25rem 0 0;padding:.75rem .875rem;border-radius:.75rem;background:var(--bad-ground);color:var(--bad);font-size:.9375rem}
.advice{margin:1rem 0 0;padding:.75rem .875rem;border-radius:.75rem;background:var(--warn-ground);color:var(--warn);font-size:.9375rem}
.spinner{width:2rem;height:2rem;margin:.5rem auto 1rem;border:3px solid var(--line);border-top-color:var(--accent);border-radius:50%;animation:turn 1s linear infinite}
@keyframes turn{to{rotate:1turn}}
@media(prefers-reduced-motion:reduce){.spinner{animation-duration:4s}}
.tick{display:block;width:3rem;height:3rem;margin:0 auto .75rem;fill:none;stroke:var(--good);stroke-width:3;stroke-linecap:round;stroke-linejoin:round}
.tick circle{fill:var(--good-ground);stroke:none}
.step.result{text-align:left}
.result h2{display:flex;align-items:center;gap:.625rem;font-size:1.125rem}
.result .tick{width:2rem;height:2rem;margin:0}
.result dd{text-align:left}
.links{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;margin:1.25rem 0 0;padding:0;list-style:none}
.terms{margin-top:1rem;box-shadow:none;background:none}
.terms ul{margin:.5rem 0 0;padding-left:1.125rem;font-size:.9375rem;color:var(--soft)}
.terms li+li{margin-top:.375rem}
footer{margin-top:1.25rem;text-align:center;color:var(--soft);font-size:.9375rem}
footer p{margin:.25rem 0}
.apps{display:grid;grid-template-columns:repeat(auto-fit,minmax(5.5rem,1fr));gap:.5rem;list-style:none;margin:.5rem 0 0;padding:0}
.apps a{display:block;padding:.625rem .125rem;border:1px solid var(--line);border-radius:.75rem;color:inherit;font-size:.875rem;font-weight:600;text-align:center;text-decoration:none}
.phone .soft{text-align:center;font-size:.9375rem}
img.code{display:block;height:auto;aspect-ratio:1}
.codes{display:flex;justify-content:center;gap:1rem}
.codes figure{flex:0 1 12rem;margin:0;text-align:center;font-size:.9375rem;font-weight:600}
[data-part=top-up] .soft{text-align:center;font-size:.9375rem}
@media(hover:hover) and (pointer:fine) and (min-width:30.01rem){.phone{display:none}}
.wallets:not(:empty)~.phone .button{background:none;border:1px solid var(--line);color:inherit}
@media(hover:none){details:not(.more),.codes{display:none}}
`;
