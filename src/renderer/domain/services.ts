import type { i18n } from 'i18next'

import type { Bridge } from '../../ipc/calls.ts'
import type { CommandStore } from '../commands/commands.ts'
import type { NavigationStore } from '../navigation/navigation.ts'
import type { Toasts } from '../ui/toasts.tsx'

/** Dependencies of every screen's stores and commands. */
export interface Services {
  readonly bridge: Bridge
  readonly texts: i18n
  readonly navigation: NavigationStore
  readonly commands: CommandStore
  readonly toasts: Toasts
}
