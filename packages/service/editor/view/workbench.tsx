import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { keyOf } from '@galley/look'
import type { Editor } from '@tiptap/core'
import { EditorContent } from '@tiptap/react'
import { useEffect, useState } from 'react'

import { hasForeignParts, readState } from '../page/state.ts'
import type { InsertRange } from '../prose/insert-block.ts'
import type { SessionApi } from '../session/api.ts'
import type { Draft, Drafts } from '../session/drafts.ts'
import type { Notice } from '../session/outcome.ts'
import { noticeOf } from '../session/outcome.ts'
import type { PageFiles } from '../session/page-files.ts'
import { createPageFiles } from '../session/page-files.ts'
import type { SessionView } from '../session/session.ts'
import { FormatBar } from './format-bar.tsx'
import { Banners, StatusBar } from './notices.tsx'
import { Settings } from './settings.tsx'
import { SlashMenu } from './slash-menu.tsx'
import { currentTextKind } from './text-kinds.ts'
import type { SiteStatus, Width } from './top-bar.tsx'
import { TopBar } from './top-bar.tsx'
import type { MediaInserter } from './use-media.ts'
import { createMediaInserter, useDropsOutsidePage } from './use-media.ts'
import { usePageEditor } from './use-page-editor.ts'
import { siteStatusAfter, useSaving } from './use-saving.ts'
import { useSelectionAnnouncement } from './use-selection-announcement.ts'
import type { DialogName } from './workbench-dialogs.tsx'
import { MovedOnDialog, WorkbenchDialogs } from './workbench-dialogs.tsx'
import styles from './workbench.module.css'

/** Sets the document's title, and loads the style sheet with the site's fonts. */
function useDocument(title: string, fontSheetUrl: string | null): void {
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (fontSheetUrl === null) return undefined
    const sheet = document.createElement('link')
    sheet.rel = 'stylesheet'
    sheet.href = fontSheetUrl
    document.head.append(sheet)
    return () => sheet.remove()
  }, [fontSheetUrl])
}

interface Props {
  readonly api: SessionApi
  readonly session: SessionView
  readonly drafts: Drafts
  readonly draft: Draft | null
  /** The first notice; null derives it from the session. */
  readonly initialNotice: Notice | null
  /** Called after a rollback: the editor starts again with this session. */
  readonly onSession: (session: SessionView, initialNotice: Notice) => void
}

function firstNotice({ lastSave }: SessionView, isForeign: boolean): Notice {
  if (lastSave !== null && lastSave.result !== 'merged') return noticeOf(lastSave)
  if (isForeign) return { tone: 'quiet', text: 'Some blocks come from another editor. They are saved unchanged.' }
  return { tone: 'quiet', text: 'Type / to insert. Press F6 to move between areas of the window.' }
}

function siteStatusOf({ isRolledBack, lastSave, baseVersionId }: SessionView): SiteStatus {
  if (isRolledBack) return 'not-on-site'
  // Saved, and the site has not answered yet, or never did.
  if (lastSave === null && baseVersionId !== null) return 'unconfirmed'
  return lastSave === null ? 'saved' : siteStatusAfter[lastSave.result]
}

/** Handles the shortcuts that work anywhere in the window. */
function useWindowKeys(keys: { readonly onSave: () => void; readonly onLink: () => void }): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      const key = keyOf(event).toLowerCase()
      if (isCommand && key === 's') keys.onSave()
      else if (isCommand && key === 'k') keys.onLink()
      else if (key === 'f6') focusNextRegion(event.shiftKey ? -1 : 1)
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  })
}

const focusable = 'button:not([tabindex="-1"]), input, select, textarea, [contenteditable="true"], a[href]'

/** Moves the focus to the next or previous region of the window, marked with `data-region`. */
function focusNextRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')]
  const current = regions.findIndex((region) => region.contains(document.activeElement))
  const next = regions[(current + step + regions.length) % regions.length]
  const target = next?.matches(focusable) === true ? next : next?.querySelector<HTMLElement>(focusable)
  target?.focus()
}

/** The editor of one session: bars, canvas, settings and notices. */
export function Workbench({ api, session, drafts, draft, initialNotice, onSession }: Props) {
  const [opened] = useState(() => readState(session.state))
  const [files] = useState(() => createPageFiles(opened.assets, api.fileAddress, draft ?? undefined))
  const [notice, setNotice] = useState(() => initialNotice ?? firstNotice(session, hasForeignParts(opened)))
  const [announcement, announce] = useState('')
  const [width, setWidth] = useState<Width>('desktop')
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const [isLinkOpen, setIsLinkOpen] = useState(false)
  const [lost, setLost] = useState(session.lost)

  const editor = usePageEditor(opened.page, draft?.doc ?? null, files, {
    onFiles: (chosen, at) => void media.add(chosen, at),
    onPicturesLeftOut: () =>
      setNotice({ tone: 'quiet', text: 'Pictures in pasted text are skipped. Add them as files instead.' }),
  })
  const media = createMediaInserter(editor, files, (names) =>
    setNotice({ tone: 'bad', text: `Only pictures and videos can be added. Skipped: ${names.join(', ')}.` }),
  )
  const { saveState, isDirty, save, hasMovedOn, dismissMovedOn } = useSaving({
    api,
    editor,
    files,
    opened,
    drafts,
    draft,
    baseVersionId: session.baseVersionId,
    siteStatus: siteStatusOf(session),
    onNotice: setNotice,
  })

  useSelectionAnnouncement(editor, announce)
  useDropsOutsidePage((chosen) => void media.add(chosen, atEnd(editor)))
  useDocument(`${isDirty ? '• ' : ''}${session.materialId} – editor`, session.fonts.cssUrl)
  useWindowKeys({
    onSave: () => void save(),
    onLink: () => setIsLinkOpen(isLinkOpen || (editor.isFocused && currentTextKind(editor) !== '')),
  })

  return (
    <CSPProvider disableStyleElements>
      <Tooltip.Provider>
        <div className={styles.workbench}>
          <TopBar
            editor={editor}
            materialId={session.materialId}
            saveState={saveState}
            width={width}
            onWidth={setWidth}
            onDialog={setDialog}
            onSave={() => void save()}
          />
          <FormatBar
            editor={editor}
            chooseMedia={(kind) => void media.choose(kind)}
            families={session.fonts.families}
            link={{ isOpen: isLinkOpen, onOpenChange: setIsLinkOpen }}
            announce={announce}
          />
          <Banners
            lost={lost}
            notice={notice}
            onDismissLost={() => setLost([])}
            onDismissNotice={() => setNotice({ tone: 'quiet', text: '' })}
          />
          <Desk editor={editor} width={width} session={session} files={files} media={media} />
          <StatusBar notice={notice} isDirty={isDirty} announcement={announcement} />
        </div>
        <SlashMenu editor={editor} chooseMedia={(kind) => void media.choose(kind)} announce={announce} />
        <WorkbenchDialogs
          open={dialog}
          api={api}
          session={session}
          onSession={onSession}
          hasUnsavedChanges={isDirty}
          onClose={() => setDialog(null)}
        />
        {hasMovedOn && <MovedOnDialog editor={editor} onClose={dismissMovedOn} onSave={() => void save(true)} />}
      </Tooltip.Provider>
    </CSPProvider>
  )
}

interface DeskProps {
  readonly editor: Editor
  readonly width: Width
  readonly session: SessionView
  readonly files: PageFiles
  readonly media: MediaInserter
}

/** The page, and beside it the settings of its selected block. */
const Desk = ({ editor, width, session, files, media }: DeskProps) => (
  <div className={styles.desk}>
    <Canvas editor={editor} width={width} />
    <Settings
      editor={editor}
      assets={files.assets()}
      families={session.fonts.families}
      onReplace={(pos) => void media.replace(pos)}
    />
  </div>
)

const Canvas = ({ editor, width }: { readonly editor: Editor; readonly width: Width }) => (
  <main className={styles.scroller} aria-label="Page">
    <div className={styles.paper} data-width={width}>
      <EditorContent editor={editor} className={styles.content} />
    </div>
  </main>
)

const atEnd = ({ state }: Editor): InsertRange => ({ from: state.doc.content.size, to: state.doc.content.size })
