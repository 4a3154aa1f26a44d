import type { ReactNode } from 'react'
import { useId, useRef, useState } from 'react'

import styles from './tabs.module.css'

interface Tab {
  readonly key: string
  readonly title: string
  readonly panel: () => ReactNode
}

/** Tabs of one pane; left and right move, and only the chosen panel is drawn. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [chosenKey, choose] = useState(tabs[0]?.key)
  const chosenAt = Math.max(
    0,
    tabs.findIndex((tab) => tab.key === chosenKey),
  )
  const chosen = tabs[chosenAt]
  if (chosen === undefined) return null

  const moveTo = (at: number): void => {
    const tab = tabs[(at + tabs.length) % tabs.length]
    if (tab === undefined) return
    choose(tab.key)
    list.current?.querySelector<HTMLButtonElement>(`[data-key="${tab.key}"]`)?.focus()
  }

  return (
    <div className={styles.tabs}>
      <div ref={list} role="tablist" aria-label={label} className={styles.list}>
        {tabs.map((tab, at) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            data-key={tab.key}
            aria-selected={at === chosenAt}
            aria-controls={`${id}-panel`}
            tabIndex={at === chosenAt ? 0 : -1}
            className={styles.tab}
            onClick={() => choose(tab.key)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowRight') moveTo(at + 1)
              if (event.key === 'ArrowLeft') moveTo(at - 1)
            }}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${chosen.key}`}
        tabIndex={0}
        className={styles.panel}
      >
        {chosen.panel()}
      </div>
    </div>
  )
}
