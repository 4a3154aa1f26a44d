import type { Bridge } from '../../contract/ipc/calls.ts'
import type { CommandStore } from '../commands/commands.ts'
import type { NavigationStore } from '../navigation/navigation.ts'
import type { createAnnouncements } from '../ui/announcer.tsx'
import type { Toasts } from '../ui/toasts.tsx'

/** What the window gives every feature: the way to main, and the few things that all of them share. */
export interface Services {
  readonly bridge: Bridge
  readonly useNavigation: NavigationStore
  readonly useCommands: CommandStore
  readonly useAnnouncements: ReturnType<typeof createAnnouncements>
  readonly toasts: Toasts
}
