import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import '../ui/tokens.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { Shell } from './shell.tsx'
import { createStores } from './stores.ts'

const stores = createStores(window.galley)
void stores.start()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no root')
createRoot(root).render(
  <StrictMode>
    <Shell stores={stores} bridge={window.galley} />
  </StrictMode>,
)
