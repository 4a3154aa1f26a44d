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
  /** Given together, the owner holds which tab is chosen. */
  readonly chosen?: string
  readonly onChoose?: (key: string) => void
  /** Stands between the tabs and whichever panel is drawn. */
  readonly between?: ReactNode
}

/** Tabs of one pane; left and right move, and only the chosen panel is drawn. */
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
