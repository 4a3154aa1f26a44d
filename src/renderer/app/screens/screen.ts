import type { ComponentType } from 'react'

import type { ScreenName, ViewOf } from '../../navigation/view.ts'

/** What a screen draws from: the view of it that is shown now. */
export interface Part<Name extends ScreenName> {
  readonly view: ViewOf<Name>
}

/** One screen: its list, and what is chosen in it. */
export interface Screen<Name extends ScreenName> {
  readonly List: ComponentType<Part<Name>>
  /** The right pane; null for a screen that needs the whole width. */
  readonly Inspector: ComponentType<Part<Name>> | null
  /** Drawn whichever panes are shown: dialogs, and commands that need the language. */
  readonly Layer?: ComponentType
}
