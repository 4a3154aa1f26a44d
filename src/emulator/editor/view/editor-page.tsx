import { useEffect, useState } from 'react'

import type { SessionApi } from '../session/api.ts'
import type { Notice } from '../session/outcome.ts'
import type { SessionView } from '../session/session.ts'
import { Button } from './button.tsx'
import styles from './editor-page.module.css'
import { Workbench } from './workbench.tsx'

interface Opened {
  readonly session: SessionView
  readonly greeting: Notice | null
  /** Counts openings: each one begins with a fresh editor. */
  readonly count: number
}

/** Reads the session and edits it, or says why it cannot. */
export function EditorPage({ api }: { readonly api: SessionApi }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    async function open(): Promise<void> {
      const answer = await api.read()
      if (answer.ok) setOpened({ session: answer.value, greeting: null, count: 0 })
      else setProblem(answer.failure)
    }
    void open()
  }, [api])

  if (problem !== null)
    return (
      <main className={styles.failed}>
        <h1>This page cannot be opened</h1>
        <p role="alert">{problem}</p>
        <Button look="primary" onClick={() => location.reload()}>
          Try again
        </Button>
      </main>
    )
  if (opened === null)
    return (
      <main className={styles.opening}>
        <p role="status">The page is being opened. Its files may have to come from the site first.</p>
      </main>
    )
  return (
    <Workbench
      key={opened.count}
      api={api}
      session={opened.session}
      greeting={opened.greeting}
      onSession={(session, greeting) => setOpened({ session, greeting, count: opened.count + 1 })}
    />
  )
}
