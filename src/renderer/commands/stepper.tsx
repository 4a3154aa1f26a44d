import type { CommandId } from '@galley/library/records'
import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp } from 'lucide-react'

import { KeyedButton } from './keyed-button.tsx'
import styles from './stepper.module.css'

interface Step {
  readonly command: CommandId
  readonly title: string
}

interface Props {
  /** Where one is, such as "2 of 7". */
  readonly place: string
  readonly back: Step
  readonly forward: Step
  /** Whether what is stepped through lies below each other. */
  readonly isVertical?: boolean
  readonly onStep: (steps: 1 | -1) => void
}

/** Steps from one thing to its neighbours. */
export function Stepper({ place, back, forward, isVertical = false, onStep }: Props) {
  const [Back, Forward] = isVertical ? [ChevronUp, ChevronDown] : [ChevronLeft, ChevronRight]
  return (
    <>
      <span className={styles.place}>{place}</span>
      <KeyedButton look="quiet" icon={Back} isIconOnly command={back.command} onClick={() => onStep(-1)}>
        {back.title}
      </KeyedButton>
      <KeyedButton look="quiet" icon={Forward} isIconOnly command={forward.command} onClick={() => onStep(1)}>
        {forward.title}
      </KeyedButton>
    </>
  )
}
