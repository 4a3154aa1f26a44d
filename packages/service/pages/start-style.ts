import { createHash } from 'node:crypto'

import { startScript } from './start-script.ts'

/** The style of the start page; it loads nothing, so that the page works offline. */
export const startStyle = `
:root {
  color-scheme: light dark;
  --surface: light-dark(#f6f7f9, #1d2026);
  --border: light-dark(#d5d9e0, #343943);
  --control: light-dark(#7d8592, #79818f);
  --text: light-dark(#1a1d23, #e8eaee);
  --text-2: light-dark(#555b66, #a6adba);
  --accent: light-dark(#1f5fd0, #7fabff);
  --good: light-dark(#156c2e, #5bc57d);
  --bad: light-dark(#c4262e, #ff8a84);
  font: 14px/20px Inter, system-ui, sans-serif;
  color: var(--text);
  background: light-dark(#ffffff, #16181d);
}
body { margin: 0 auto; max-width: 72rem; padding: 32px 24px 48px; }
h1 { font-size: 20px; line-height: 28px; font-weight: 600; margin: 0 0 4px; }
h2 { font-size: 16px; line-height: 24px; font-weight: 600; margin: 0 0 12px; }
p { margin: 0 0 12px; color: var(--text-2); }
section { border-top: 1px solid var(--border); padding: 20px 0; }
header { padding-bottom: 20px; }
code { font: 12px/18px "JetBrains Mono", ui-monospace, monospace; overflow-wrap: anywhere; color: var(--text); }
a { color: var(--accent); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 6px 16px 6px 0; border-bottom: 1px solid var(--border); vertical-align: top; }
thead th { color: var(--text-2); font-size: 12px; font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 8rem; }
tbody tr:last-child > * { border-bottom: 0; }
time, .state { white-space: nowrap; }
.state::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 8px;
  background: var(--control); forced-color-adjust: none; }
.good::before { background: var(--good); }
.bad::before { background: var(--bad); }
td form { margin: 0; }
td details { max-width: 24rem; }
td details[open] { min-width: 20rem; }
td summary code, td button { white-space: nowrap; overflow-wrap: normal; }
pre { margin: 4px 0 0; font: 12px/18px "JetBrains Mono", ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.wide:not(:has(tbody tr)), .wide:has(tbody tr) + .none { display: none; }
ul { margin: 0 0 12px; padding-left: 20px; }
form { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; margin-bottom: 12px; }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; font-size: 12px; color: var(--text-2); min-width: 0; }
input, select, button { font: inherit; font-size: 14px; color: var(--text); border: 1px solid var(--control);
  border-radius: 4px; padding: 3px 8px; min-height: 28px; box-sizing: border-box; max-width: 100%; }
input, select { background: light-dark(#ffffff, #16181d); }
input[type="number"] { width: 8rem; }
::placeholder { color: var(--text-2); opacity: 1; }
button { background: var(--surface); border-radius: 6px; padding: 3px 12px; cursor: pointer; }
button:hover { background: light-dark(#eceff3, #272b33); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[role="alert"] { color: var(--bad); border: 1px solid currentColor; border-radius: 6px; padding: 8px 12px; }
`

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows only this style, this script and its requests to this page, and this page's forms. */
export const startPolicy = [
  "default-src 'none'",
  `style-src ${sha256(startStyle)}`,
  `script-src ${sha256(startScript)}`,
  "connect-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
