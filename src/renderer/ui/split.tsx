import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { z } from 'zod'

import { keep, readKept } from './kept.ts'
import styles from './split.module.css'

interface Props {
  /** Key under which the size is persisted. */
  readonly name: string
  readonly main: ReactNode
  /** Null while there is no second pane; the main pane stays mounted and keeps its input. */
  readonly side: ReactNode | null
  readonly sideAt?: 'start' | 'end'
  readonly orientation?: 'horizontal' | 'vertical'
  /** Pixels. */
  readonly mainMin: number
  readonly sideSize: number
  readonly sideMin: number
  readonly sideMax?: number
}

/** Two panes with a divider, moved by dragging or arrow keys; the side keeps its pixel size when the window grows. */
export function Split({ name, main, side, sideAt = 'end', orientation = 'horizontal', mainMin, ...sizes }: Props) {
  const { t } = useTranslation('ui')
  const size = useRef(sizes.sideSize)
  /** Whether a person caused the last resize, by keys or pointer, and not the window. */
  const isChosen = useRef(false)
  const mainPanel = (
    <Panel key="main" id="main" minSize={mainMin} className={styles.panel}>
      {main}
    </Panel>
  )
  const edge = <Separator key="edge" className={styles.separator} aria-label={t('separator')} />
  const sidePanel = (
    <SidePanel
      key="side"
      {...sizes}
      name={name}
      onResize={(inPixels) => {
        size.current = inPixels
        // After a key press, the new size is reported only when the change has ended.
        if (isChosen.current) keep(keptName(name), inPixels)
      }}
    >
      {side}
    </SidePanel>
  )
  const panels = side === null ? [mainPanel] : [mainPanel, edge, sidePanel]
  return (
    <Group
      orientation={orientation}
      className={styles.group}
      onLayoutChanged={(_layout, { isUserInteraction }) => {
        isChosen.current = isUserInteraction
        if (isUserInteraction) keep(keptName(name), size.current)
      }}
    >
      {sideAt === 'end' ? panels : panels.toReversed()}
    </Group>
  )
}

const keptName = (name: string): string => `split:${name}`

interface SideProps extends Pick<Props, 'name' | 'sideSize' | 'sideMin' | 'sideMax'> {
  readonly onResize: (inPixels: number) => void
  readonly children: ReactNode
}

/** Restores its last size. */
function SidePanel({ name, sideSize, sideMin, sideMax, onResize, children }: SideProps) {
  const [firstSize] = useState(() => readKept(keptName(name), z.number(), sideSize))
  return (
    <Panel
      id="side"
      defaultSize={firstSize}
      minSize={sideMin}
      {...(sideMax === undefined ? {} : { maxSize: sideMax })}
      groupResizeBehavior="preserve-pixel-size"
      className={styles.panel}
      onResize={({ inPixels }) => onResize(inPixels)}
    >
      {children}
    </Panel>
  )
}
