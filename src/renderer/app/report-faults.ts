import { describeFault } from '@galley/wire'
import type { RootOptions } from 'react-dom/client'

import type { PageFault } from '../../ipc/diagnostics.ts'

/** Reports uncaught errors of the page, by their position; returns React's error handlers. */
export function reportFaults(
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
