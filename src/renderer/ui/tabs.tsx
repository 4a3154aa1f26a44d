import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { useState } from 'react'

import styles from './tabs.module.css'

interface Tab {
  readonly key: string
  readonly title: string
  readonly panel: () => ReactNode
}

interface Props {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** `chosen` and `onChoose` together make the tabs controlled. */
  readonly chosen?: string
  readonly onChoose?: (key: string) => void
  /** Rendered between the tabs and the current panel. */
  readonly between?: ReactNode
}

/** Tabs; left and right move, and only the current panel is rendered. */
export function Tabs({ label, tabs, chosen, onChoose, between }: Props) {
  const [own, setOwn] = useState(tabs[0]?.key ?? '')
  const wanted = chosen ?? own
  const shown = tabs.some((tab) => tab.key === wanted) ? wanted : (tabs[0]?.key ?? '')
  return (
    <Base.Root
      className={styles.tabs}
      value={shown}
      onValueChange={(key: string) => {
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
      {between}
      {tabs.map((tab) => (
        <Base.Panel key={tab.key} value={tab.key} className={styles.panel}>
          {tab.key === shown && tab.panel()}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
