import { useCommands } from '../../commands/commands.ts'
import { focusPane } from '../../ui/panes.ts'

/** Focuses the inspector, opening it first in a narrow window. */
export function useOpenInspector(): () => void {
  const run = useCommands((state) => state.run)
  return () => {
    if (!focusPane('inspector')) run('view.inspector')
  }
}
