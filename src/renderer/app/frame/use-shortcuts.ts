import { useEffect } from 'react'

import { useCommandsStore } from '../../commands/commands.ts'
import { commandFor, isMac } from '../../commands/keys.ts'
import { useLayersStore } from '../state/layers.ts'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('.cm-editor') !== null)

/** Layers take all keys but those that close them; one that fades away takes none any more, a toast none at all. */
const layersSelector =
  ':is([role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]):not([data-closed], [data-toast])'

/** Runs commands by their keys, wherever the focus is; a layer above the screen keeps them from what lies below. */
export function useShortcuts(): void {
  const layers = useLayersStore()
  const commands = useCommandsStore()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const { shown, close } = layers.getState()
      // The one layer that takes no keys: wherever the focus is, Escape closes it once nothing lies above.
      if (event.key === 'Escape' && shown === 'tasks' && document.querySelector(layersSelector) === null) return close()
      const { chosenKeys, run } = commands.getState()
      const id = commandFor(event, chosenKeys, isMac, isTyping(event.target))
      if (id === null) return
      const closesLayer = (id === 'palette.open' && shown === 'palette') || (id === 'sheet.open' && shown === 'sheet')
      if (!closesLayer && document.querySelector(layersSelector) !== null) {
        // What the browser would do with the keys is nothing for a layer either, such as reloading the page.
        if (id === 'view.refresh') event.preventDefault()
        return
      }
      if (!run(id)) return
      event.preventDefault()
      // The toasts listen here too, and would take every F6 for themselves.
      event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [commands, layers])
}
