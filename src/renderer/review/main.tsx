import { CSPProvider } from '@base-ui/react/csp-provider'
import { chosenShortcuts } from '@galley/library/records'

import '../app/no-eval.ts'
import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import '../ui/tokens.css'
import type { AppSettings } from '@galley/library/records'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'

import { createTexts, languageFor } from '../../texts/catalogue.ts'
import { reportFaults } from '../app/report-faults.ts'
import { Provided } from '../context/provided.ts'
import { Boundary } from '../ui/boundary.tsx'
import type { ReviewBridge } from './bridge.ts'
import { Frame } from './frame.tsx'
import { createReviewStore, provideReview } from './store.ts'

// The preload exposes the same two functions to all of our pages; for this one, main answers only review calls.
const bridge = window.galley as unknown as ReviewBridge
const faults = reportFaults((fault) => bridge.call('reportFault', fault))
const store = createReviewStore(bridge)
const texts = createTexts(languageFor(navigator.language))
const apply = ({ language, density, shortcuts }: AppSettings): void => {
  const shownLanguage = language === 'system' ? languageFor(navigator.language) : language
  void texts.changeLanguage(shownLanguage)
  document.documentElement.lang = shownLanguage
  document.documentElement.dataset['density'] = density
  store.getState().setKeys(chosenShortcuts(shortcuts))
}
bridge.on('settings', apply)
// If this fails, the window uses the system language.
void bridge.call('readSettings', undefined).then(apply, () => null)
void store.getState().load()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no root')
createRoot(root, faults).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <I18nextProvider i18n={texts}>
        <Provided by={[provideReview(store)]}>
          <Boundary>
            <Frame bridge={bridge} />
          </Boundary>
        </Provided>
      </I18nextProvider>
    </CSPProvider>
  </StrictMode>,
)
