import { Tooltip } from '@base-ui/react/tooltip'
import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react'

import styles from './button.module.css'
import { keyName } from './key-name.ts'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is the main action of its area; `quiet` is for toolbars and has no border. */
  readonly look?: 'primary' | 'plain' | 'quiet'
  readonly icon?: LucideIcon
  readonly ref?: Ref<HTMLButtonElement>
}

const classOf = (look: Props['look']): string => [styles.button, look && styles[look]].filter(Boolean).join(' ')

/** A button with a label and an optional icon. */
export function Button({ look = 'plain', icon: Icon, children, className = '', ...rest }: Props) {
  return (
    <button type="button" className={`${classOf(look)} ${className}`} {...rest}>
      {Icon && <Icon size={14} aria-hidden />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Props {
  readonly label: string
  readonly icon: LucideIcon
  /** As in `aria-keyshortcuts`, with `Mod` for Ctrl or Cmd: `Mod+B`. */
  readonly keys?: string
  /** The element to render, for buttons in a toolbar. */
  readonly render?: ReactElement
}

/** An icon-only button; its tooltip shows label and shortcut. */
export function IconButton({ label, icon: Icon, keys, render, look = 'quiet', ...rest }: IconButtonProps) {
  const shortcut = keys === undefined ? {} : { 'aria-keyshortcuts': keys.replace('Mod', 'Control') }
  return (
    <Tooltip.Root>
      <Tooltip.Trigger className={classOf(look)} aria-label={label} {...shortcut} {...(render && { render })} {...rest}>
        <Icon size={16} aria-hidden />
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6}>
          <Tooltip.Popup className={styles.tip}>
            {label}
            {keys && <kbd>{keyName(keys)}</kbd>}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
