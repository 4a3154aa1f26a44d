import type { TFunction } from 'i18next'

import type { SavePauses } from '../../../contract/ipc/rules.ts'
import type { ListenerState } from '../../../contract/domain/listener-state.ts'
import { isDiskBroken } from '../../../contract/domain/listener-state.ts'

type Words = TFunction<'system'>

export type TrayAction = 'show' | 'pause' | 'resume' | 'start' | 'quit'

/** One line of the tray's menu: something to do, something to know, or a line between. */
export type TrayLine =
  | { readonly kind: 'action'; readonly action: TrayAction; readonly label: string }
  | { readonly kind: 'fact'; readonly label: string }
  | { readonly kind: 'line' }

/** What the tray tells of. */
export interface TrayFacts {
  readonly listener: ListenerState
  readonly saves: SavePauses
  /** When the last save came, written already; null: none came yet. */
  readonly lastSave: string | null
}

/** What becomes of a save right now. */
function listenerLine({ listener: state, saves: { reach } }: TrayFacts, t: Words): string {
  switch (state.kind) {
    case 'starting':
    case 'stopping':
      return t(`tray.${state.kind}`)
    case 'listening':
      if (isDiskBroken(state)) return t('tray.broken')
      return t(`tray.listening.${reach}`, { address: state.url.replace(/^https?:\/\//, '') })
    case 'elsewhere':
      return t(`tray.elsewhere.${reach}`, { id: state.processId })
    case 'failed':
      return t('tray.failed')
    case 'stopped':
      return t('tray.stopped')
  }
}

/** The menu of the tray: what is going on, refusing saves by rule or taking them again, the window, the way out. */
export function trayMenu(facts: TrayFacts, t: Words): readonly TrayLine[] {
  const { listener, saves } = facts
  const isDown = listener.kind === 'stopped' || listener.kind === 'failed'
  const isPaused = saves.pauses.some(({ site }) => site === null)
  const action = (name: TrayAction): TrayLine => ({ kind: 'action', action: name, label: t(`tray.${name}`) })
  return [
    { kind: 'fact', label: listenerLine(facts, t) },
    { kind: 'fact', label: saveLine(facts, t) ?? t('tray.noSave') },
    { kind: 'line' },
    action('show'),
    ...(isDown ? [action('start')] : []),
    ...(isPaused ? [action('resume')] : []),
    ...(isDown || isPaused ? [] : [action('pause')]),
    { kind: 'line' },
    action('quit'),
  ]
}

/** What the tray says when it is pointed at. */
export const trayTip = (facts: TrayFacts, t: Words): string =>
  ['Galley', listenerLine(facts, t), saveLine(facts, t)].filter((line) => line !== null).join('\n')

const saveLine = ({ lastSave }: TrayFacts, t: Words): string | null =>
  lastSave === null ? null : t('tray.lastSave', { time: lastSave })
