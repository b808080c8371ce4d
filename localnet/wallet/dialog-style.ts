const RULES = `
dialog{box-sizing:border-box;width:min(30rem,calc(100vw - 2rem));max-height:calc(100vh - 2rem);overflow:auto;padding:1.25rem;border:1px solid light-dark(#c9cedb,#3a4152);border-radius:1rem;background:light-dark(#fff,#171a23);color:light-dark(#14171f,#eceef4);font:15px/1.5 -apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif;color-scheme:light dark;overflow-wrap:anywhere}
dialog::backdrop{background:rgb(0 0 0/.5)}
h2{margin:0 0 .5rem;font-size:1.15rem}
p{margin:.5rem 0}
.test{padding:.4rem .75rem;border-radius:.5rem;background:light-dark(#fff3dc,#3a2a10);color:light-dark(#7a4100,#ffcf8a);font-size:.9em}
.problem{color:light-dark(#a1152b,#ffb3bd)}
ul{list-style:none;margin:.75rem 0;padding:0}
li{padding:.5rem 0;border-top:1px solid light-dark(#e0e3ea,#2b303d)}
pre{margin:.75rem 0;padding:.75rem;max-height:16rem;overflow:auto;border-radius:.5rem;background:light-dark(#f1f3f7,#0e1016);font:.85em/1.5 ui-monospace,monospace;white-space:pre-wrap}
code{font:.85em ui-monospace,monospace}
button{padding:.5rem .875rem;border:1px solid light-dark(#8a91a3,#6b7388);border-radius:.5rem;background:transparent;color:inherit;font:inherit;cursor:pointer}
button:disabled{opacity:.6;cursor:default}
button.main{border-color:transparent;background:light-dark(#4338ca,#a5b4fc);color:light-dark(#fff,#14171f)}
button.account{display:block;width:100%;text-align:left}
:focus-visible{outline:3px solid light-dark(#4338ca,#a5b4fc);outline-offset:2px}
.money{display:flex;gap:.75rem;align-items:center;justify-content:space-between;margin:.4rem 0;font-size:.9em}
.actions{display:flex;gap:.75rem;justify-content:flex-end;margin-top:1rem}
label{display:flex;gap:.5rem;align-items:center}
`;

let sheet: CSSStyleSheet | undefined;

/** A constructed sheet, because the content security policy of a page may refuse inline styles. */
export function dialogStyle(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(RULES);
  }
  return sheet;
}
