import type { Editor, JSONContent } from '@tiptap/core'
import { useEffect, useRef, useState } from 'react'

import { pageHtml } from '../page/html.ts'
import { usedFiles } from '../page/page.ts'
import type { OpenedState } from '../page/state.ts'
import { readState, writeState } from '../page/state.ts'
import { toPage } from '../prose/to-page.ts'
import { toProse } from '../prose/to-prose.ts'
import type { SessionApi } from '../session/api.ts'
import { movedOn } from '../session/api.ts'
import type { Draft, Drafts } from '../session/drafts.ts'
import type { Notice } from '../session/outcome.ts'
import type { SaveReport } from '../session/session.ts'
import { noticeOf } from '../session/outcome.ts'
import type { PageFiles } from '../session/page-files.ts'
import type { SaveState, Standing } from './top-bar.tsx'

interface Saving {
  readonly saveState: SaveState
  readonly isDirty: boolean
  readonly save: (isAnyway?: boolean) => Promise<void>
  /** Whether a save was refused because the page was saved elsewhere meanwhile. */
  readonly hasMovedOn: boolean
  readonly dismissMovedOn: () => void
}

interface Ports {
  readonly api: SessionApi
  readonly editor: Editor
  readonly files: PageFiles
  readonly opened: OpenedState
  readonly drafts: Drafts
  /** What was not saved before a reload; the editor begins with it. */
  readonly draft: Draft | null
  /** The version that the session shows; null before the first save. */
  readonly baseVersionId: string | null
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
export function useSaving(ports: Ports): Saving {
  const { api, editor, files, opened, drafts, draft, standing: atFirst, onNotice } = ports
  // The state as the service has it: what the next save is written over.
  const base = useRef(opened)
  const shown = useRef(draft === null ? ports.baseVersionId : draft.over)
  const { doc } = editor.state
  const [savedDoc, setSavedDoc] = useState(() =>
    draft === null ? doc : editor.schema.nodeFromJSON(toProse(opened.page)),
  )
  const [hasMovedOn, setHasMovedOn] = useState(false)
  const [standing, setStanding] = useState(atFirst)
  const [isSaving, setIsSaving] = useState(false)
  const isDirty = !doc.eq(savedDoc)

  /** `isAnyway` saves over what another tab, or another person, has saved meanwhile. */
  async function save(isAnyway = false): Promise<void> {
    if (isSaving) return
    setIsSaving(true)
    setHasMovedOn(false)
    onNotice({ tone: 'quiet', text: 'Saving…' })
    onNotice(await send(isAnyway))
    setIsSaving(false)
  }

  async function send(isAnyway: boolean): Promise<Notice> {
    const { doc } = editor.state
    const page = toPage(doc)
    const sent = await files.toSend(usedFiles(page))
    if (!sent.ok) return { tone: 'bad', text: `Not saved. ${sent.failure}` }
    const state = writeState(base.current, page, files.assets())
    const over = isAnyway ? undefined : shown.current
    const saved = await api.save({ html: pageHtml(page, files.assets()), state, files: sent.value, over })
    if (!saved.ok && saved.failure === movedOn) {
      setHasMovedOn(true)
      return { tone: 'quiet', text: 'Not saved yet: the page was saved elsewhere.' }
    }
    if (!saved.ok) return { tone: 'bad', text: `Not saved. ${String(saved.failure)} Your changes are still here.` }
    setSavedDoc(doc)
    setStanding(standingAfter[saved.value.result])
    shown.current = saved.value.versionId
    const fresh = await api.read()
    // A save of somebody else that came right after is not what this page is written over.
    if (fresh.ok && fresh.value.baseVersionId === shown.current) {
      base.current = readState(fresh.value.state)
      files.takeOver(base.current.assets)
    }
    return noticeOf(saved.value)
  }

  useEffect(() => {
    drafts.keep(isDirty ? { doc: doc.toJSON() as JSONContent, files: files.added(), over: shown.current } : null)
  }, [drafts, doc, files, isDirty])

  useEffect(() => {
    if (!isDirty) return undefined
    const guard = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', guard)
    return () => window.removeEventListener('beforeunload', guard)
  }, [isDirty])

  const saveState = isSaving ? 'saving' : isDirty ? 'unsaved' : standing
  return { saveState, isDirty, save, hasMovedOn, dismissMovedOn: () => setHasMovedOn(false) }
}
