import type { ChosenShortcuts, CommandId } from '@galley/library/records'
import type { TFunction } from 'i18next'
import type { LucideIcon } from 'lucide-react'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { subjects } from '../../texts/catalogue.ts'
import { createStoreContext } from '../context/provided.ts'

/** Translates keys of any namespace, such as `materials:commands.create`. */
export type Translate = TFunction<readonly (typeof subjects)[number][]>

/** Command groups in the order of the shortcut sheet. */
export const groupOrder = [
  'general',
  'go',
  'view',
  'review',
  'materials',
  'publish',
  'fonts',
  'delivery',
  'settings',
  'sites',
] as const
export type CommandGroup = (typeof groupOrder)[number]

/** An action of the window, run by shortcut, palette or menu. */
export interface Command {
  readonly id: CommandId
  readonly group: CommandGroup
  readonly icon?: LucideIcon
  title(t: Translate): string
  /** Whether a key that is held runs it only once. */
  readonly isOnce?: boolean
  /** Whether the command applies right now; always, if omitted. */
  isAvailable?(): boolean
  run(): void
}

export interface Commands {
  readonly all: readonly Command[]
  readonly chosenKeys: ChosenShortcuts
  /** Adds commands; returns a function that removes them. */
  register(commands: readonly Command[]): () => void
  setKeys(chosen: ChosenShortcuts): void
  /** Runs a command if it is available; returns whether it did. `isRepeat`: its key is still held. */
  run(id: CommandId, isRepeat?: boolean): boolean
}

export type CommandStore = StoreApi<Commands>

/** The registry of all commands and their shortcuts. */
export const createCommands = (): CommandStore =>
  createStore<Commands>()((set, get) => ({
    all: [],
    chosenKeys: {},
    register: (commands) => {
      set({ all: [...get().all, ...commands] })
      return () => set({ all: get().all.filter((command) => !commands.includes(command)) })
    },
    setKeys: (chosenKeys) => set({ chosenKeys }),
    run: (id, isRepeat = false) => {
      // The latest registration wins, so a dialog's command overrides that of the screen below.
      const command = get().all.findLast((other) => other.id === id && other.isAvailable?.() !== false)
      if (!isRepeat || command?.isOnce !== true) command?.run()
      return command !== undefined
    },
  }))

export const [useCommands, provideCommands, useCommandsStore] = createStoreContext<Commands>('commands')
