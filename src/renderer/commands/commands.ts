import type { TFunction } from 'i18next'
import type { LucideIcon } from 'lucide-react'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { ChosenShortcuts, CommandId } from '../../contract/domain/shortcuts.ts'
import type { subjects } from '../../texts/catalogue.ts'
import { createStoreContext } from '../context/provided.ts'

/** Translates a key of any subject, as `materials:commands.create`. */
export type Translate = TFunction<readonly (typeof subjects)[number][]>

/** The groups of commands, in the order of the shortcut sheet. */
export const groupOrder = [
  'general',
  'go',
  'view',
  'materials',
  'callbacks',
  'fonts',
  'review',
  'exports',
  'health',
  'settings',
  'sites',
] as const
export type CommandGroup = (typeof groupOrder)[number]

/** Something the window can do, by key, from the palette, from a menu, or from the menu of the application. */
export interface Command {
  readonly id: CommandId
  readonly group: CommandGroup
  readonly icon?: LucideIcon
  title(t: Translate): string
  /** Whether it makes sense right now; without it, always. */
  isAvailable?(): boolean
  run(): void
}

export interface Commands {
  readonly all: readonly Command[]
  readonly chosenKeys: ChosenShortcuts
  /** Adds commands; the returned function takes them away again. */
  register(commands: readonly Command[]): () => void
  setKeys(chosen: ChosenShortcuts): void
  /** Runs a command if it is there and available; says whether it did. */
  run(id: CommandId): boolean
}

export type CommandStore = StoreApi<Commands>

/** What every feature of the window can do, and by which keys. */
export const createCommands = (): CommandStore =>
  createStore<Commands>()((set, get) => ({
    all: [],
    chosenKeys: {},
    register: (commands) => {
      set({ all: [...get().all, ...commands] })
      return () => set({ all: get().all.filter((command) => !commands.includes(command)) })
    },
    setKeys: (chosenKeys) => set({ chosenKeys }),
    run: (id) => {
      // The newest wins: what a dialog or a detail offers stands before what the screen below it does.
      const command = get().all.findLast((other) => other.id === id && other.isAvailable?.() !== false)
      command?.run()
      return command !== undefined
    },
  }))

export const [useCommands, provideCommands, useCommandsStore] = createStoreContext<Commands>('commands')
