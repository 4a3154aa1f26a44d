import type { ListenerState, SiteSummary } from '@galley/library/records'

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
  readonly onNewMaterial: () => void
}
