import { useCommands } from '../../commands/commands.ts'
import { focusPane } from '../../ui/panes.ts'

/** Leads the focus to what is chosen; in a narrow window that is not shown until it is asked for. */
export function useOpenInspector(): () => void {
  const run = useCommands((state) => state.run)
  return () => {
    if (!focusPane('inspector')) run('view.inspector')
  }
}
