import { useRef, useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'

import { ContextMenu } from './menu.tsx'
import type { MenuAnchor, MenuItem } from './menu.tsx'

/** Where the system's own menu is wanted: in a text field, and on selected text. */
function isOnText(at: Element): boolean {
  if (at.closest('input, textarea') !== null) return true
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(at, true)
}

const focusable = 'button:not([disabled]), a[href], summary'

/**
 * The actions of a row or tile at right click, and by the menu key and Shift+F10 while the focus is in it: for those keys
 * browsers send the same event. Rows of a `Grid` have `menuOf` instead.
 */
export function useRowMenu(items: readonly MenuItem[]): {
  /** Properties of the row. */
  readonly row: { readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void }
  /** To be drawn in the row. */
  readonly menu: ReactNode
} {
  const [anchor, setAnchor] = useState<MenuAnchor | null>(null)
  const returnTo = useRef<HTMLElement>(null)
  return {
    row: {
      onContextMenu(event) {
        const { currentTarget: row, target, clientX, clientY } = event
        // React passes on what happens in the open menu, which is elsewhere in the page.
        if (items.length === 0 || !(target instanceof Element) || !row.contains(target) || isOnText(target)) return
        event.preventDefault()
        const focused = document.activeElement
        returnTo.current =
          focused instanceof HTMLElement && row.contains(focused) ? focused : row.querySelector<HTMLElement>(focusable)
        setAnchor({ getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) })
      },
    },
    menu: anchor !== null && (
      <ContextMenu anchor={anchor} items={items} returnTo={returnTo} onClose={() => setAnchor(null)} />
    ),
  }
}
