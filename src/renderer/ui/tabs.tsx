import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { useState } from 'react'

import { useShown } from './for-developers.ts'
import styles from './tabs.module.css'

interface Tab<Key extends string> {
  readonly key: Key
  readonly title: string
  readonly isForDevelopers?: boolean
  readonly panel: () => ReactNode
}

interface Props<Key extends string> {
  readonly label: string
  readonly tabs: readonly Tab<Key>[]
  /** `chosen` and `onChoose` together make the tabs controlled. */
  readonly chosen?: Key
  readonly onChoose?: (key: Key) => void
  /** Whether a panel gives its height to its content, such as a grid, which scrolls itself. */
  readonly isFilled?: boolean
}

/** Tabs; left and right move, and only the current panel is rendered. */
export function Tabs<Key extends string>({ label, chosen, onChoose, isFilled = false, ...props }: Props<Key>) {
  const tabs = useShown(props.tabs)
  const [own, setOwn] = useState(tabs[0]?.key ?? '')
  const wanted = chosen ?? own
  const shown = tabs.some((tab) => tab.key === wanted) ? wanted : (tabs[0]?.key ?? '')
  return (
    <Base.Root
      className={styles.tabs}
      value={shown}
      onValueChange={(key: Key) => {
        setOwn(key)
        onChoose?.(key)
      }}
    >
      <Base.List activateOnFocus aria-label={label} className={styles.list}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.key} value={tab.key} className={styles.tab}>
            {tab.title}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel
          key={tab.key}
          value={tab.key}
          className={isFilled ? `${styles.panel} ${styles.filled}` : styles.panel}
        >
          {tab.key === shown && tab.panel()}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
