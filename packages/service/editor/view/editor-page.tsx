import { useEffect, useState } from 'react'

import { readState } from '../page/state.ts'
import type { SessionApi } from '../session/api.ts'
import { draftApart } from '../session/draft-apart.ts'
import type { Draft, Drafts } from '../session/drafts.ts'
import type { Notice } from '../session/outcome.ts'
import type { SessionView } from '../session/session.ts'
import { Button } from './button.tsx'
import styles from './editor-page.module.css'
import { Workbench } from './workbench.tsx'

interface Opened {
  readonly session: SessionView
  readonly draft: Draft | null
  readonly initialNotice: Notice | null
  /** Counts opened sessions: each one gets a new editor. */
  readonly count: number
}

/** Loads the session and shows the editor, or the problem. */
export function EditorPage({ api, drafts }: { readonly api: SessionApi; readonly drafts: Drafts }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    async function open(): Promise<void> {
      const [answer, kept] = await Promise.all([api.read(), drafts.read()])
      if (!answer.ok) return setProblem(answer.failure)
      const { state, baseVersionId } = answer.value
      const draft = kept && draftApart(kept, readState(state).assets, baseVersionId)
      const initialNotice: Notice | null = draft && { tone: 'quiet', text: 'Your unsaved changes were restored.' }
      setOpened({ session: answer.value, draft, initialNotice, count: 0 })
    }
    void open()
  }, [api, drafts])

  if (problem !== null)
    return (
      <main className={styles.failed}>
        <h1>Couldn’t open this page</h1>
        <p role="alert">{problem}</p>
        <Button look="primary" onClick={() => location.reload()}>
          Try again
        </Button>
      </main>
    )
  if (opened === null)
    return (
      <main className={styles.opening}>
        <p role="status">Opening the page. Its files may need to be downloaded from the site first.</p>
      </main>
    )
  return (
    <Workbench
      key={opened.count}
      api={api}
      session={opened.session}
      drafts={drafts}
      draft={opened.draft}
      initialNotice={opened.initialNotice}
      onSession={(session, initialNotice) =>
        setOpened({ session, draft: null, initialNotice, count: opened.count + 1 })
      }
    />
  )
}
