import type { ListenerState } from '../../../contract/domain/listener-state.ts'
import type { SiteSummary } from '../../../contract/domain/site.ts'

/** What the steps of the welcome show and lead to. */
export interface FirstRunProps {
  /** The site that was added, or null. */
  readonly site: SiteSummary | null
  readonly listener: ListenerState | null
  readonly onAddSite: () => void
  readonly onEditSite: (site: SiteSummary) => void
  readonly onStartListener: () => void
  /** To where the listener's port is set. */
  readonly onListenerSettings: () => void
  readonly onNewMaterial: () => void
}
