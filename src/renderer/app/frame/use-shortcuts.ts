import { useEffect } from 'react'

import { useCommandsStore } from '../../commands/commands.ts'
import { commandsFor, isMac } from '../../commands/keys.ts'
import { useLayersStore } from '../state/layers.ts'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('.cm-editor') !== null)

/** Enter and Space press a control; Space does not in lists whose rows are opened with Enter. */
const isPressing = ({ key, target, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  (key === ' ' || (key === 'Enter' && !ctrlKey && !metaKey)) &&
  target instanceof Element &&
  target.closest('button, a, summary') !== null &&
  (key === 'Enter' || target.closest('[data-keeps-space]') === null)

/** Open overlays block shortcuts, except those that close them. Closing overlays and toasts do not. */
const layersSelector =
  ':is([role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]):not([data-closed], [data-toast])'

/** Runs commands by their shortcuts, wherever the focus is, unless an overlay is open. */
export function useShortcuts(): void {
  const layers = useLayersStore()
  const commands = useCommandsStore()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const { shown, close } = layers.getState()
      // The task drawer does not block shortcuts, so Escape closes it from anywhere unless another overlay is open.
      if (event.key === 'Escape' && shown === 'tasks' && document.querySelector(layersSelector) === null) return close()
      const { chosenKeys, run } = commands.getState()
      if (isPressing(event)) return
      const ids = commandsFor(event, chosenKeys, isMac, isTyping(event.target))
      if (ids.length === 0) return
      const closesLayer = ids.some((id) => id === `${shown}.open` && (shown === 'palette' || shown === 'sheet'))
      if (!closesLayer && document.querySelector(layersSelector) !== null) {
        // Suppress the browser's default, such as reload, even under an overlay.
        if (ids.includes('view.refresh')) event.preventDefault()
        return
      }
      if (!ids.some((id) => run(id, event.repeat))) return
      event.preventDefault()
      // Base UI's toast listener would otherwise handle every F6.
      event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [commands, layers])
}
