import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { CallProblem } from '../../../contract/ipc/calls.ts'
import type { CallbackFilters } from '../../../contract/ipc/callbacks.ts'
import { orProblem } from '../../bridge/answers.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import type { Services } from '../../domain/services.ts'
import { addFailure } from '../../ui/toasts.tsx'

export interface Sharing {
  /** What became of the last thing that left the log; each one is told once. */
  readonly told:
    | null
    | { readonly kind: 'copied' }
    | { readonly kind: 'exported'; readonly count: number }
    | { readonly kind: 'failed'; readonly problem: CallProblem }
  copyReport(id: string): Promise<void>
  exportList(filters: CallbackFilters, format: 'csv' | 'json'): Promise<void>
}
export type SharingStore = UseBoundStore<StoreApi<Sharing>>

/** Reports on the clipboard and the log as a file; main leaves out what is private. */
export const createSharing = ({ bridge }: Pick<Services, 'bridge'>): SharingStore =>
  create<Sharing>()((set) => ({
    told: null,
    copyReport: async (id) => {
      const report = await orProblem(bridge.call('callbackReport', { id }))
      if (!report.ok) return set({ told: { kind: 'failed', problem: report.failure } })
      await bridge.call('copyText', { text: report.value })
      set({ told: { kind: 'copied' } })
    },
    exportList: async (filters, format) => {
      const written = await orProblem(bridge.call('exportCallbacks', { filters, format }))
      if (!written.ok) set({ told: { kind: 'failed', problem: written.failure } })
      else if (written.value !== null) set({ told: { kind: 'exported', count: written.value.count } })
    },
  }))

/** Says in a toast what became of it. */
export function useSharingToasts(useSharing: SharingStore, toasts: Services['toasts']): void {
  const { t } = useTranslation('callbacks')
  const problemText = useProblemText()
  const { told } = useSharing()
  useEffect(() => {
    if (told === null) return
    useSharing.setState({ told: null })
    if (told.kind === 'failed') addFailure(toasts, { title: problemText(told.problem) })
    else toasts.add({ title: told.kind === 'copied' ? t('copied') : t('exported', { count: told.count }) })
  }, [told, useSharing, toasts, t, problemText])
}
