import type { ListenerState, SavePauses } from '@galley/library/records'
import { storageFault } from '@galley/library/records'
import type { TFunction } from 'i18next'

import type { RecentSite } from './recent-sites.ts'

type Words = TFunction<'system'>

export type TrayAction = 'show' | 'pause' | 'resume' | 'start' | 'quit'

/** A line of the tray menu: an action, a site to show, information, or a separator. */
export type TrayLine =
  | { readonly kind: 'action'; readonly action: TrayAction; readonly label: string }
  | { readonly kind: 'site'; readonly label: string; readonly link: string }
  | { readonly kind: 'fact'; readonly label: string }
  | { readonly kind: 'line' }

/** The facts that the tray shows. */
export interface TrayFacts {
  readonly listener: ListenerState
  readonly saves: SavePauses
  /** The formatted time of the last save; null if there was none. */
  readonly lastSave: string | null
  readonly recent: readonly RecentSite[]
}

/** What the listener currently does with saves. */
function listenerLine({ listener: state, saves: { reach } }: TrayFacts, t: Words): string {
  switch (state.kind) {
    case 'starting':
    case 'stopping':
      return t(`tray.${state.kind}`)
    case 'listening':
      if (storageFault(state) !== null) return t('tray.broken')
      return t(`tray.listening.${reach}`, { address: state.url.replace(/^https?:\/\//, '') })
    case 'elsewhere':
      return t(`tray.elsewhere.${reach}`, { id: state.processId })
    case 'failed':
      return t('tray.failed')
    case 'stopped':
      return t('tray.stopped')
  }
}

/** The tray menu: the state, pausing and resuming saves, the window, and quitting. */
export function trayMenu(facts: TrayFacts, t: Words): readonly TrayLine[] {
  const { listener, saves, recent } = facts
  const isDown = listener.kind === 'stopped' || listener.kind === 'failed'
  const isPaused = saves.pauses.some(({ site }) => site === null)
  const action = (name: TrayAction): TrayLine => ({ kind: 'action', action: name, label: t(`tray.${name}`) })
  return [
    { kind: 'fact', label: listenerLine(facts, t) },
    { kind: 'fact', label: saveLine(facts, t) ?? t('tray.noSave') },
    { kind: 'line' },
    action('show'),
    ...recent.map(({ name, link }): TrayLine => ({ kind: 'site', label: name, link })),
    ...(recent.length > 0 ? [{ kind: 'line' } as const] : []),
    ...(isDown ? [action('start')] : []),
    ...(isPaused ? [action('resume')] : []),
    ...(isDown || isPaused ? [] : [action('pause')]),
    { kind: 'line' },
    action('quit'),
  ]
}

/** The tooltip of the tray icon. */
export const trayTip = (facts: TrayFacts, t: Words): string =>
  ['Galley', listenerLine(facts, t), saveLine(facts, t)].filter((line) => line !== null).join('\n')

const saveLine = ({ lastSave }: TrayFacts, t: Words): string | null =>
  lastSave === null ? null : t('tray.lastSave', { time: lastSave })
