/**
 * The styles that make the page readable on its own, at every width and without a script; the site's styles override
 * them. The editor's canvas uses the same rules.
 */
export const criticalCss = [
  '.folio{--folio-gap:1.25rem;display:grid;grid-template-columns:minmax(1.25rem,1fr) minmax(0,44rem) minmax(1.25rem,1fr);align-content:start;line-height:1.65;overflow-wrap:break-word}',
  '.folio>*,.folio-section>*{grid-column:2;min-width:0}',
  '.folio :is(p,ul,ol,blockquote,figure,hr,table,.folio-columns){margin:0 0 var(--folio-gap);padding:0}',
  '.folio :is(h1,h2,h3,h4){margin:calc(var(--folio-gap)*1.4) 0 calc(var(--folio-gap)*.6);font-family:var(--folio-headings,inherit);font-weight:700;line-height:1.2;text-wrap:balance}',
  '.folio h1{font-size:2.25rem;letter-spacing:-.015em}.folio h2{font-size:1.625rem}.folio h3{font-size:1.25rem}.folio h4{font-size:1.0625rem}',
  '.folio :is(ul,ol){padding-inline-start:1.5rem}.folio li>:last-child,.folio blockquote>:last-child,.folio :is(td,th)>:last-child,.folio-columns>*>:last-child{margin-bottom:0}',
  '.folio blockquote{padding-inline-start:1.25rem;border-inline-start:3px solid currentColor;font-style:italic}',
  '.folio table{width:100%;border-collapse:collapse}.folio :is(td,th){padding:.4rem .6rem;border:1px solid color-mix(in srgb,currentColor 30%,transparent);text-align:start;vertical-align:top}',
  '.folio hr{width:100%;border:0;border-top:1px solid currentColor;opacity:.3}',
  '.folio figure :is(img,video){display:block;max-width:100%;height:auto;margin-inline:auto}',
  '.folio figcaption{margin-top:.5rem;font-size:.875rem;line-height:1.45;text-align:center}',
  '.folio .folio-wide,.folio .folio-full{grid-column:1/-1;width:min(100%,64rem);justify-self:center}.folio .folio-full{width:100%}',
  '.folio .folio-full :is(img,video),.folio .folio-wide :is(img,video){width:100%}',
  '.folio .folio-center{text-align:center}.folio .folio-end{text-align:end}',
  '.folio-columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,11rem),1fr));gap:var(--folio-gap) 1.75rem}.folio-columns>*{min-width:0}',
  '.folio .folio-section{grid-column:1/-1;display:grid;grid-template-columns:subgrid;align-content:start;margin-bottom:var(--folio-gap)}.folio-section a{color:inherit}',
  '.folio-section>:first-child{margin-top:0}.folio-section>:last-child{margin-bottom:0}',
  '.folio-pad-small{padding-block:1rem}.folio-pad-medium{padding-block:2.5rem}.folio-pad-large{padding-block:5rem}',
  '.folio-space{height:2.5rem}.folio-space.folio-small{height:1rem}.folio-space.folio-large{height:5rem}',
].join('')
