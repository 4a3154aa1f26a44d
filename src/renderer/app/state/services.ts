import type { i18n } from 'i18next'

import type { Bridge } from '../../../contract/ipc/calls.ts'
import type { CommandStore } from '../../commands/commands.ts'
import type { NavigationStore } from '../../navigation/navigation.ts'
import type { Toasts } from '../../ui/toasts.tsx'

/** What the stores and commands of every screen are made with. */
export interface Services {
  readonly bridge: Bridge
  readonly texts: i18n
  readonly navigation: NavigationStore
  readonly commands: CommandStore
  readonly toasts: Toasts
}
