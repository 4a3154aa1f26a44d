import type { Editor, JSONContent } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
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
import { noticeOf } from '../session/outcome.ts'
import type { PageFiles } from '../session/page-files.ts'
import type { SaveReport } from '../session/session.ts'
import type { SaveState, SiteStatus } from './top-bar.tsx'

interface Saving {
  readonly saveState: SaveState
  readonly isDirty: boolean
  readonly save: (isAnyway?: boolean) => Promise<void>
  /** Whether a save was refused because the page was saved elsewhere in the meantime. */
  readonly hasMovedOn: boolean
  readonly dismissMovedOn: () => void
}

interface Ports {
  readonly api: SessionApi
  readonly editor: Editor
  readonly files: PageFiles
  readonly opened: OpenedState
  readonly drafts: Drafts
  /** Unsaved changes from before a reload; the editor starts with them. */
  readonly draft: Draft | null
  /** The version that the session shows; null before the first save. */
  readonly baseVersionId: string | null
  /** Whether the session's page was on the site when the editor opened. */
  readonly siteStatus: SiteStatus
  readonly onNotice: (notice: Notice) => void
}

/** The site status after a save with this result. */
export const siteStatusAfter: Readonly<Record<SaveReport['result'], SiteStatus>> = {
  merged: 'saved',
  rejected: 'not-on-site',
  webhook_failed: 'unconfirmed',
}

const draftOf = (doc: Node, files: PageFiles, over: string | null): Draft => ({
  doc: doc.toJSON() as JSONContent,
  files: files.added(),
  assets: [...files.assets()],
  over,
})

/** Saves the page and tracks unsaved changes; the browser asks before leaving with some. */
export function useSaving(ports: Ports): Saving {
  const { api, editor, files, opened, drafts, draft, onNotice } = ports
  // The state stored in the service, which the next save replaces.
  const base = useRef(opened)
  const shown = useRef(draft === null ? ports.baseVersionId : draft.over)
  const { doc } = editor.state
  const [savedDoc, setSavedDoc] = useState(() =>
    draft === null ? doc : editor.schema.nodeFromJSON(toProse(opened.page)),
  )
  const [hasMovedOn, setHasMovedOn] = useState(false)
  const [siteStatus, setSiteStatus] = useState(ports.siteStatus)
  const [isSaving, setIsSaving] = useState(false)
  const isDirty = !doc.eq(savedDoc)

  /** `isAnyway` replaces a newer save from another tab or person. */
  async function save(isAnyway = false): Promise<void> {
    if (isSaving) return
    setIsSaving(true)
    setHasMovedOn(false)
    onNotice({ tone: 'quiet', text: 'Saving…' })
    try {
      onNotice(await send(isAnyway))
    } catch {
      // A save is one text, and browsers make none of more than half a gigabyte.
      onNotice({ tone: 'bad', text: 'Not saved. The files are too large for one save. Your changes are still here.' })
    } finally {
      setIsSaving(false)
    }
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
      return { tone: 'quiet', text: 'Not saved: the page was saved elsewhere.' }
    }
    if (!saved.ok) return { tone: 'bad', text: `Not saved. ${String(saved.failure)} Your changes are still here.` }
    setSavedDoc(doc)
    setSiteStatus(siteStatusAfter[saved.value.result])
    shown.current = saved.value.versionId
    // Text typed meanwhile is based on the new version.
    if (!editor.isDestroyed && !editor.state.doc.eq(doc)) drafts.keep(draftOf(editor.state.doc, files, shown.current))
    const fresh = await api.read()
    // If somebody else saved right after, this page is not based on that version.
    if (fresh.ok && fresh.value.baseVersionId === shown.current) {
      base.current = readState(fresh.value.state)
      files.takeOver(base.current.assets)
    }
    return noticeOf(saved.value)
  }

  useEffect(() => {
    drafts.keep(isDirty ? draftOf(doc, files, shown.current) : null)
  }, [drafts, doc, files, isDirty])

  useEffect(() => {
    if (!isDirty) return undefined
    const guard = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', guard)
    return () => window.removeEventListener('beforeunload', guard)
  }, [isDirty])

  const saveState = isSaving ? 'saving' : isDirty ? 'unsaved' : siteStatus
  return { saveState, isDirty, save, hasMovedOn, dismissMovedOn: () => setHasMovedOn(false) }
}
