import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReactElement, RefObject } from 'react'

import styles from './menu.module.css'

/** A menu item; `keys` is its shortcut, such as `Ctrl+T`. */
export type MenuItem =
  | {
      readonly kind?: 'action'
      readonly key: string
      readonly label: string
      readonly icon?: LucideIcon
      readonly keys?: string | undefined
      readonly isDanger?: boolean
      readonly onSelect: () => void
    }
  | {
      readonly kind: 'check'
      readonly key: string
      readonly label: string
      /** Tells items with the same label apart. */
      readonly note?: string
      readonly isChecked: boolean
      /** A radio choice: choosing it closes the menu. */
      readonly isChoice?: boolean
      readonly onChange: (isChecked: boolean) => void
    }
  | { readonly kind: 'heading'; readonly key: string; readonly label: string }
  | { readonly kind: 'separator'; readonly key: string }

interface Props {
  /** The button that opens the menu. */
  readonly trigger: ReactElement
  readonly items: readonly MenuItem[]
  readonly align?: 'start' | 'end'
  readonly onOpen?: (() => void) | undefined
}

/** A drop-down menu: arrows and letters move, Enter runs, Escape closes. */
export function Menu({ trigger, items, align = 'start', onOpen }: Props) {
  return (
    <Base.Root
      onOpenChange={(isOpen) => {
        if (isOpen) onOpen?.()
      }}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className={styles.positioner}>
          <Base.Popup className={styles.popup}>{lines(items)}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** The position of a context menu: the pointer or a row. */
export interface MenuAnchor {
  getBoundingClientRect(): DOMRect
}

interface ContextProps {
  readonly anchor: MenuAnchor | null
  readonly items: readonly MenuItem[]
  readonly onClose: () => void
  /** Receives the focus on close. */
  readonly returnTo: RefObject<HTMLElement | null>
}

/** A context menu, open while it has an anchor. */
export function ContextMenu({ anchor, items, onClose, returnTo }: ContextProps) {
  return (
    <Base.Root
      open={anchor !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="start" sideOffset={2} className={styles.positioner}>
          <Base.Popup finalFocus={returnTo} className={styles.popup}>
            {lines(items)}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function lines(items: readonly MenuItem[]) {
  return items.map((item) => {
    switch (item.kind) {
      case 'separator':
        return <Base.Separator key={item.key} className={styles.separator} />
      case 'heading':
        return (
          <Base.Group key={item.key}>
            <Base.GroupLabel className={styles.heading}>{item.label}</Base.GroupLabel>
          </Base.Group>
        )
      case 'check':
        return (
          <Base.CheckboxItem
            key={item.key}
            checked={item.isChecked}
            closeOnClick={item.isChoice === true}
            onCheckedChange={item.onChange}
            className={styles.item}
          >
            <span className={styles.icon}>
              <Base.CheckboxItemIndicator>
                <Check size={14} aria-hidden />
              </Base.CheckboxItemIndicator>
            </span>
            <span className={styles.label}>{item.label}</span>
            {item.note !== undefined && <span className={styles.keys}>{item.note}</span>}
          </Base.CheckboxItem>
        )
      case 'action':
      case undefined: {
        const Icon = item.icon
        return (
          <Base.Item
            key={item.key}
            onClick={item.onSelect}
            className={item.isDanger === true ? `${styles.item} ${styles.danger}` : styles.item}
          >
            <span className={styles.icon}>{Icon && <Icon size={14} aria-hidden />}</span>
            <span className={styles.label}>{item.label}</span>
            {item.keys !== undefined && <kbd className={styles.keys}>{item.keys}</kbd>}
          </Base.Item>
        )
      }
    }
  })
}
