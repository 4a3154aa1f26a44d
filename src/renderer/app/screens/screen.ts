import type { ComponentType } from 'react'

import type { ScreenName, ViewOf } from '../../navigation/view.ts'

/** Props of a screen's panes. */
export interface Part<Name extends ScreenName> {
  readonly view: ViewOf<Name>
}

export interface Screen<Name extends ScreenName> {
  readonly List: ComponentType<Part<Name>>
  /** The right pane; null if the screen needs the full width. */
  readonly Inspector: ComponentType<Part<Name>> | null
  /** Whether this view has the right pane; every view has it, if omitted. */
  readonly hasInspector?: (view: ViewOf<Name>) => boolean
  /** Always rendered: dialogs, and commands that need translations. */
  readonly Layer?: ComponentType
}
