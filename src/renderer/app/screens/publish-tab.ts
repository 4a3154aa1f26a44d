import type { ComponentType } from 'react'

import type { Part } from './screen.ts'

/** What a tab of the publish section shows. */
export interface PublishTabParts {
  /** The content below the tabs. */
  readonly List: ComponentType<Part<'publish'>>
  /** Buttons beside the heading of the section. */
  readonly Actions: ComponentType | null
  /** The right pane; null if the tab needs the full width. */
  readonly Inspector: ComponentType<Part<'publish'>> | null
}
