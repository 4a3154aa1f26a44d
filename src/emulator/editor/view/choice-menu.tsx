import { Menu } from '@base-ui/react/menu'
import { Toolbar } from '@base-ui/react/toolbar'
import { Check, ChevronDown } from 'lucide-react'

import buttonStyles from './button.module.css'
import styles from './popup.module.css'

interface Option {
  readonly value: string
  readonly label: string
  readonly keys?: string
  /** The face in which the label is set. */
  readonly face?: string
}

interface Props {
  /** What is chosen here, for people who cannot see the toolbar. */
  readonly label: string
  readonly value: string
  /** What the button says when the value is none of the options. */
  readonly otherwise: string
  readonly options: readonly Option[]
  readonly onChoose: (value: string) => void
  /** Where the work goes on after a choice. */
  readonly focusAfter: () => HTMLElement
}

/** A toolbar button that says what holds and offers the alternatives. */
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
