import { Menu } from '@base-ui/react/menu'
import { Toolbar } from '@base-ui/react/toolbar'
import { Check, ChevronDown } from 'lucide-react'

import buttonStyles from './button.module.css'
import styles from './popup.module.css'

interface Option {
  readonly value: string
  readonly label: string
  readonly keys?: string
  /** The font of the label. */
  readonly face?: string
}

interface Props {
  /** Accessible name of the button. */
  readonly label: string
  readonly value: string
  /** The button's text when the value is not an option. */
  readonly otherwise: string
  readonly options: readonly Option[]
  readonly onChoose: (value: string) => void
  /** The element that receives the focus after a choice. */
  readonly focusAfter: () => HTMLElement
}

/** A toolbar button that shows the current value and opens a menu of alternatives. */
export function ChoiceMenu({ label, value, otherwise, options, onChoose, focusAfter }: Props) {
  const current = options.find((option) => option.value === value)?.label ?? otherwise
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger render={<Toolbar.Button />} className={buttonStyles.button} aria-label={`${label}: ${current}`}>
        {current}
        <ChevronDown size={14} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="start">
          <Menu.Popup className={styles.popup} finalFocus={focusAfter}>
            <Menu.RadioGroup value={value} onValueChange={(chosen: string) => onChoose(chosen)}>
              {options.map((option) => (
                <Menu.RadioItem key={option.value} value={option.value} className={styles.item} closeOnClick>
                  <Menu.RadioItemIndicator>
                    <Check size={14} aria-hidden />
                  </Menu.RadioItemIndicator>
                  <span style={option.face === undefined ? {} : { fontFamily: option.face, gridColumn: 2 }}>
                    {option.label}
                  </span>
                  {option.keys && <kbd>{option.keys}</kbd>}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
