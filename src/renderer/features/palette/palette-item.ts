import type { LucideIcon } from 'lucide-react'

/** One line of the palette: an object to go to, or a command to run. */
export interface PaletteItem {
  /** Unique in the palette and the same tomorrow, so that it can be remembered as recent. */
  readonly key: string
  readonly title: string
  /** Other words that people look for it by. */
  readonly synonyms?: string
  /** Quieter, behind the title: an id, a date, a site. */
  readonly detail?: string
  readonly icon?: LucideIcon
  readonly keys?: string | undefined
  run(): void
}

export interface PaletteGroup {
  readonly title: string
  readonly items: readonly PaletteItem[]
}
