import type { StoreApi } from 'zustand'

import type { Command } from '../../commands/commands.ts'
import { succeeded } from '../../domain/call-toasts.ts'
import type { Services } from '../../domain/services.ts'
import type { FirstRunState } from './store.ts'

/** Starts the sample at any time, also again after the app was restarted. */
export const sampleCommand = (
  services: Pick<Services, 'texts' | 'toasts'>,
  firstRun: Pick<StoreApi<FirstRunState>, 'getState'>,
): Command => {
  async function start(): Promise<void> {
    await firstRun.getState().startTryIt()
    const { tryIt } = firstRun.getState()
    if (tryIt.kind === 'failed') succeeded(services, null, { ok: false, failure: tryIt.problem })
  }
  return { id: 'site.sample', group: 'sites', title: (t) => t('start:tryIt.again'), run: () => void start() }
}
