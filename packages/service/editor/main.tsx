import '@fontsource-variable/inter/index.css'
import './view/frame.css'
import './view/canvas.css'
import { createRoot } from 'react-dom/client'

import { criticalCss } from './page/critical-css.ts'
import { createSessionApi } from './session/api.ts'
import { createDrafts } from './session/drafts.ts'
import { EditorPage } from './view/editor-page.tsx'

// The canvas uses the styles of the published page. Adopted as a sheet, since this page's CSP forbids inline styles.
const pageSheet = new CSSStyleSheet()
pageSheet.replaceSync(criticalCss)
document.adoptedStyleSheets.push(pageSheet)

const root = document.getElementById('root')
const fingerprint = decodeURIComponent(location.pathname.split('/').at(-1) ?? '')
if (root !== null)
  createRoot(root).render(<EditorPage api={createSessionApi(fingerprint)} drafts={createDrafts(fingerprint)} />)
