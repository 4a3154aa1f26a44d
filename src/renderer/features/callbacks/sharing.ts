import type { CallbackFilters } from '@galley/library/records'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { createStoreContext } from '../../context/provided.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { addFailure, useToasts } from '../../ui/toasts.tsx'

export interface Sharing {
  /** The result of the last copy or export, shown once. */
  readonly result:
    | null
    | { readonly kind: 'copied' }
    | { readonly kind: 'exported'; readonly count: number }
    | { readonly kind: 'failed'; readonly problem: CallProblem }
  /** Called once it was shown. */
  clear(): void
  copyReport(id: string): Promise<void>
  exportList(filters: CallbackFilters, format: 'csv' | 'json'): Promise<void>
}
export type SharingStore = StoreApi<Sharing>

/** Copies a report to the clipboard, or exports the log to a file; main redacts both. */
export const createSharing = (bridge: Bridge): SharingStore =>
  createStore<Sharing>()((set) => ({
    result: null,
    clear: () => set({ result: null }),
    copyReport: async (id) => {
      const report = await catchUnexpected(bridge.call('callbackReport', { id }))
      if (!report.ok) return set({ result: { kind: 'failed', problem: report.failure } })
      await bridge.call('copyText', { text: report.value })
      set({ result: { kind: 'copied' } })
    },
    exportList: async (filters, format) => {
      const written = await catchUnexpected(bridge.call('exportCallbacks', { filters, format }))
      if (!written.ok) set({ result: { kind: 'failed', problem: written.failure } })
      else if (written.value !== null) set({ result: { kind: 'exported', count: written.value.count } })
    },
  }))

/** Shows the result in a toast. */
export function useSharingToasts(): void {
  const toasts = useToasts()
  const { t } = useTranslation('callbacks')
  const problemText = useProblemText()
  const { result, clear } = useSharing()
  useEffect(() => {
    if (result === null) return
    clear()
    if (result.kind === 'failed') addFailure(toasts, { title: problemText(result.problem), problem: result.problem })
    else toasts.add({ title: result.kind === 'copied' ? t('copied') : t('exported', { count: result.count }) })
  }, [result, clear, toasts, t, problemText])
}

const [useSharing, provideSharing] = createStoreContext<Sharing>('sharing of callbacks')
export { provideSharing }
