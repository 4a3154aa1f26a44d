import './no-eval.ts'
import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import '../ui/tokens.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { describeFault } from '@galley/wire'
import { StrictMode, useCallback } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { RootOptions } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'

import type { Bridge } from '../../ipc/calls.ts'
import type { PageFault } from '../../ipc/diagnostics.ts'
import { openedAt } from '../../ipc/review.ts'
import { createTexts, languageFor } from '../../texts/catalogue.ts'
import { useCommands } from '../commands/commands.ts'
import { usableKeys } from '../commands/keys.ts'
import { KeysContext } from '../commands/shown-keys.ts'
import type { KeysLookup } from '../commands/shown-keys.ts'
import { Provided } from '../context/provided.ts'
import type { Provide } from '../context/provided.ts'
import { meansOf } from '../domain/means.tsx'
import { MeansContext } from '../ui/means-context.ts'
import { Shell } from './frame/shell.tsx'
import { createReviewWindow, ReviewWindow } from './review-window.tsx'
import { createStores } from './stores.ts'
import { trackCalls } from './track-calls.ts'

/** Provides the shortcuts of available commands to all components of the window. */
function KeysOfWindow({ children }: { readonly children: ReactNode }) {
  const { all, chosenKeys } = useCommands()
  const lookUpKeys: KeysLookup = useCallback(
    (id) => {
      const canRun = all.some((command) => command.id === id && command.isAvailable?.() !== false)
      return canRun ? usableKeys(id, chosenKeys) : []
    },
    [all, chosenKeys],
  )
  return <KeysContext value={lookUpKeys}>{children}</KeysContext>
}

/** Creates the stores of the main window, which begin to read. */
function startWindow(bridge: Bridge): readonly Provide[] {
  const { provided, start } = createStores(bridge, texts)
  void start()
  return provided
}

/** An empty window looks broken, so show it without rows after this time. */
const firstRowsLimitMs = 250

/** Reports uncaught errors of the page, by their position; returns React's error handlers. */
function reportFaults(
  send: (fault: PageFault) => Promise<unknown>,
): Pick<RootOptions, 'onCaughtError' | 'onUncaughtError'> {
  const report = (caughtBy: PageFault['caughtBy'], fault: unknown): void =>
    void send({ caughtBy, position: describeFault(fault).slice(0, 4_000) }).catch(() => undefined)
  window.addEventListener('error', ({ error }) => report('window', error))
  window.addEventListener('unhandledrejection', ({ reason }) => report('promise', reason))
  return {
    onCaughtError: (fault) => report('pane', fault),
    onUncaughtError: (fault) => report('window', fault),
  }
}

const faults = reportFaults((fault) => window.galley.call('reportFault', fault))
const texts = createTexts(languageFor(navigator.language))
const { bridge, callsSettled } = trackCalls(window.galley)
const opened = openedAt(location.href)
const provided = opened === null ? startWindow(bridge) : createReviewWindow(bridge, texts, opened)
// Wait for the first rows, so that the first render is complete.
await callsSettled(firstRowsLimitMs)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no root')
createRoot(root, faults).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <I18nextProvider i18n={texts}>
        <Tooltip.Provider delay={400}>
          <Provided by={provided}>
            <MeansContext value={meansOf}>
              <KeysOfWindow>{opened === null ? <Shell /> : <ReviewWindow />}</KeysOfWindow>
            </MeansContext>
          </Provided>
        </Tooltip.Provider>
      </I18nextProvider>
    </CSPProvider>
  </StrictMode>,
)
