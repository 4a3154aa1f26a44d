import type { LucideIcon } from 'lucide-react'

/** A line of the palette: an object to open, or a command to run. */
export interface PaletteItem {
  /** Unique and stable across restarts, since recent items are remembered by it. */
  readonly key: string
  readonly title: string
  /** Other search words. */
  readonly synonyms?: string
  /** Secondary text after the title: an id, date or site. */
  readonly detail?: string
  readonly icon?: LucideIcon
  readonly keys?: string | undefined
  run(): void
}

export interface PaletteGroup {
  readonly title: string
  readonly items: readonly PaletteItem[]
  /** Whether it is left out while nothing is typed. */
  readonly needsText?: boolean
}
