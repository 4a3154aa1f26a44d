import type { Services } from '../../domain/services.ts'
import { focusPane } from '../../ui/panes.ts'

/** Leads the focus to what is chosen; in a narrow window that is not shown until it is asked for. */
export function openInspector({ useCommands }: Pick<Services, 'useCommands'>): void {
  if (!focusPane('inspector')) useCommands.getState().run('view.inspector')
}
