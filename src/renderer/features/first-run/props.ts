import type { CallbackRow, ListenerState, SiteSummary } from '@galley/library/records'

/** Shared props of the setup steps. */
export interface FirstRunProps {
  /** The site that was added, if any. */
  readonly site: SiteSummary | null
  readonly listener: ListenerState | null
  readonly onAddSite: () => void
  readonly onEditSite: (site: SiteSummary) => void
  readonly onStartListener: () => void
  /** Opens the settings of the listener's port. */
  readonly onListenerSettings: () => void
  /** Shows what arrived first: the stored version, or the callback that stored nothing. */
  readonly onShowSave: (row: CallbackRow) => void
}
