import type { CallProblem } from '@galley/library/records'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../ipc/calls.ts'
import { followTask, orCancelled } from '../bridge/follow-task.ts'
import { createStoreContext } from '../context/provided.ts'
import { useFormats } from '../i18n/formats.ts'
import { useProblemText } from '../i18n/problem-text.ts'
import { Button } from '../ui/button.tsx'
import { Bar } from '../ui/group.tsx'
import { useNow } from '../ui/now.ts'
import words from '../ui/words.module.css'

/** Whether data about to be deleted could be restored. */
type SafetyCopy =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | { readonly kind: 'made'; readonly at: string }
  | { readonly kind: 'underway' }
  | { readonly kind: 'failed'; readonly problem: CallProblem }

interface SafetyState {
  readonly copy: SafetyCopy
  /** Reads the time of the last backup. */
  read(): Promise<void>
  backUp(): Promise<void>
}

export type SafetyStore = StoreApi<SafetyState>

/** The age of the last backup and a way to make one, for use before a deletion. */
export const createSafety = (bridge: Bridge): SafetyStore =>
  createStore<SafetyState>()((set, get) => ({
    copy: { kind: 'unknown' },
    read: async () => {
      const health = await bridge.call('readHealth', undefined).catch(() => null)
      if (health === null) return set({ copy: { kind: 'unknown' } })
      const { lastBackup } = health
      set({ copy: lastBackup === null ? { kind: 'none' } : { kind: 'made', at: lastBackup.at } })
    },
    backUp: async () => {
      if (get().copy.kind === 'underway') return
      set({ copy: { kind: 'underway' } })
      const started = followTask<'backup'>(bridge, orCancelled(bridge.call('startBackup', { ask: false })))
      const ended = await started.ended
      if (ended.ok || ended.failure.code === 'cancelled') await get().read()
      else set({ copy: { kind: 'failed', problem: ended.failure } })
    },
  }))

const [useSafety, provideSafety] = createStoreContext<SafetyState>('safety copy')
export { provideSafety }

/** Shows the age of the last backup beside a backup button. */
export function SafetyBar() {
  const { t } = useTranslation('settings')
  const formats = useFormats()
  const problemText = useProblemText()
  const nowMs = useNow()
  const { copy, read, backUp } = useSafety()
  useEffect(() => void read(), [read])
  const text = (): string => {
    switch (copy.kind) {
      case 'unknown':
        return ''
      case 'none':
        return t('storage.safety.none')
      case 'made':
        return t('storage.safety.last', { when: formats.relative(copy.at, nowMs) })
      case 'underway':
        return t('storage.safety.underway')
      case 'failed':
        return problemText(copy.problem)
    }
  }
  return (
    <Bar>
      <span
        role="status"
        className={copy.kind === 'failed' ? words.problem : undefined}
        title={copy.kind === 'made' ? formats.exact(copy.at) : undefined}
      >
        {text()}
      </span>
      <Button aria-disabled={copy.kind === 'underway'} onClick={() => void backUp()}>
        {t('storage.safety.backUp')}
      </Button>
    </Bar>
  )
}
