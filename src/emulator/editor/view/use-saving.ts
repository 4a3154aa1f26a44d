import type { Editor } from '@tiptap/core'
import { useEffect, useRef, useState } from 'react'

import { pageHtml } from '../page/html.ts'
import { usedFiles } from '../page/page.ts'
import type { OpenedState } from '../page/state.ts'
import { readState, writeState } from '../page/state.ts'
import { toPage } from '../prose/to-page.ts'
import type { SessionApi } from '../session/api.ts'
import type { Notice } from '../session/outcome.ts'
import type { SaveReport } from '../session/session.ts'
import { noticeOf } from '../session/outcome.ts'
import type { PageFiles } from '../session/page-files.ts'
import type { SaveState, Standing } from './top-bar.tsx'

interface Saving {
  readonly saveState: SaveState
  readonly isDirty: boolean
  readonly save: () => Promise<void>
}

interface Ports {
  readonly api: SessionApi
  readonly editor: Editor
  readonly files: PageFiles
  readonly opened: OpenedState
  /** How what the session holds stood with the site when it was opened. */
  readonly standing: Standing
  readonly onNotice: (notice: Notice) => void
}

/** How the page stands after a save that ended so. */
export const standingAfter: Readonly<Record<SaveReport['result'], Standing>> = {
  merged: 'saved',
  rejected: 'not-on-site',
  webhook_failed: 'unconfirmed',
}

/** Saves the page, and knows whether it is saved; leaving with unsaved changes asks first. */
export function useSaving({ api, editor, files, opened, standing: atFirst, onNotice }: Ports): Saving {
  // The state as the service has it: what the next save is written over.
  const base = useRef(opened)
  const [savedDoc, setSavedDoc] = useState(() => editor.state.doc)
  const [standing, setStanding] = useState(atFirst)
  const [isSaving, setIsSaving] = useState(false)
  const isDirty = !editor.state.doc.eq(savedDoc)

  async function save(): Promise<void> {
    if (isSaving) return
    setIsSaving(true)
    onNotice({ tone: 'quiet', text: 'Saving…' })
    onNotice(await send())
    setIsSaving(false)
  }

  async function send(): Promise<Notice> {
    const { doc } = editor.state
    const page = toPage(doc)
    const sent = await files.toSend(usedFiles(page))
    if (!sent.ok) return { tone: 'bad', text: `Not saved. ${sent.failure}` }
    const state = writeState(base.current, page, files.assets())
    const saved = await api.save({ html: pageHtml(page, files.assets()), state, files: sent.value })
    if (!saved.ok) return { tone: 'bad', text: `Not saved. ${saved.failure} Your changes are still here.` }
    setSavedDoc(doc)
    setStanding(standingAfter[saved.value.result])
    const fresh = await api.read()
    if (fresh.ok) {
      base.current = readState(fresh.value.state)
      files.takeOver(base.current.assets)
    }
    return noticeOf(saved.value)
  }

  useEffect(() => {
    if (!isDirty) return undefined
    const guard = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', guard)
    return () => window.removeEventListener('beforeunload', guard)
  }, [isDirty])

  const saveState = isSaving ? 'saving' : isDirty ? 'unsaved' : standing
  return { saveState, isDirty, save }
}
