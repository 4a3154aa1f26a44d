import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import type { Editor } from '@tiptap/core'
import { EditorContent } from '@tiptap/react'
import { useEffect, useState } from 'react'

import type { Place } from '../prose/insert-block.ts'
import { hasForeignParts, readState } from '../page/state.ts'
import type { SessionApi } from '../session/api.ts'
import type { Draft, Drafts } from '../session/drafts.ts'
import type { Notice } from '../session/outcome.ts'
import { noticeOf } from '../session/outcome.ts'
import { createPageFiles } from '../session/page-files.ts'
import type { SessionView } from '../session/session.ts'
import { Banner } from './banner.tsx'
import { FaultsDialog } from './faults-dialog.tsx'
import { FormatBar } from './format-bar.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { LostFiles } from './lost-files.tsx'
import { MovedOnDialog } from './moved-on-dialog.tsx'
import { momentOf } from './moments.ts'
import { currentTextKind } from './text-kinds.ts'
import { Settings } from './settings.tsx'
import { SlashMenu } from './slash-menu.tsx'
import type { Standing, Width } from './top-bar.tsx'
import { TopBar } from './top-bar.tsx'
import { useSelectionHeard } from './use-selection-heard.ts'
import { useFontSheet } from './use-font-sheet.ts'
import { createMediaIntake, useDropsBeside } from './use-media.ts'
import { usePageEditor } from './use-page-editor.ts'
import { standingAfter, useSaving } from './use-saving.ts'
import { useWindowKeys } from './use-window-keys.ts'
import styles from './workbench.module.css'

interface Props {
  readonly api: SessionApi
  readonly session: SessionView
  readonly drafts: Drafts
  readonly draft: Draft | null
  /** What is said first; null leaves it to the session. */
  readonly greeting: Notice | null
  /** The session was put on another version: everything here begins anew. */
  readonly onSession: (session: SessionView, greeting: Notice) => void
}

type Dialog = 'history' | 'keys' | 'faults' | null

function firstNotice({ lastSave }: SessionView, isForeign: boolean): Notice {
  if (lastSave !== null && lastSave.result !== 'merged') return noticeOf(lastSave)
  if (isForeign)
    return { tone: 'quiet', text: 'Parts of this page come from another editor. They are kept as they are.' }
  return { tone: 'quiet', text: 'Type / to insert. F6 goes from part to part of this window.' }
}

function standingOf({ isRolledBack, lastSave }: SessionView): Standing {
  if (isRolledBack) return 'not-on-site'
  return lastSave === null ? 'saved' : standingAfter[lastSave.result]
}

/** The editor of one opened session: bars, canvas, settings, and what is said. */
export function Workbench({ api, session, drafts, draft, greeting, onSession }: Props) {
  const [opened] = useState(() => readState(session.state))
  const [files] = useState(() => createPageFiles(opened.assets, api.fileAddress, draft?.files))
  const [notice, setNotice] = useState(() => greeting ?? firstNotice(session, hasForeignParts(opened)))
  const [announcement, announce] = useState('')
  const [width, setWidth] = useState<Width>('desktop')
  const [dialog, setDialog] = useState<Dialog>(null)
  const [isLinkOpen, setIsLinkOpen] = useState(false)
  const [showsLost, setShowsLost] = useState(session.lost.length > 0)

  const editor = usePageEditor(opened.page, draft?.doc ?? null, files, {
    onFiles: (chosen, at) => void media.add(chosen, at),
    onPicturesLeftOut: () =>
      setNotice({ tone: 'quiet', text: 'Pictures within pasted text are left out. Drop them here as files.' }),
  })
  const media = createMediaIntake(editor, files, (names) =>
    setNotice({ tone: 'bad', text: `Only pictures and videos can be added. Left out: ${names.join(', ')}.` }),
  )
  const standing = standingOf(session)
  const { baseVersionId } = session
  const { saveState, isDirty, save, hasMovedOn, dismissMovedOn } = useSaving({
    ...{ api, editor, files, opened, drafts, draft, baseVersionId, standing, onNotice: setNotice },
  })

  // The dialog gives the focus back to the page, but not the cursor in it.
  useEffect(() => (hasMovedOn ? () => editor.view.focus() : undefined), [editor, hasMovedOn])
  useSelectionHeard(editor, announce)
  useDropsBeside((chosen) => void media.add(chosen, atEnd(editor)))
  useFontSheet(session.fonts.cssUrl)
  useEffect(() => {
    document.title = `${isDirty ? '• ' : ''}${session.materialId} – editor`
  }, [isDirty, session.materialId])
  useWindowKeys({
    onSave: () => void save(),
    onLink: () => setIsLinkOpen(isLinkOpen || (editor.isFocused && currentTextKind(editor) !== '')),
  })

  return (
    <CSPProvider disableStyleElements>
      <Tooltip.Provider>
        <div className={styles.workbench}>
          <TopBar
            materialId={session.materialId}
            saveState={saveState}
            width={width}
            canUndo={editor.can().undo()}
            canRedo={editor.can().redo()}
            onWidth={setWidth}
            onUndo={() => editor.commands.undo()}
            onRedo={() => editor.commands.redo()}
            onHistory={() => setDialog('history')}
            onKeys={() => setDialog('keys')}
            onFaults={() => setDialog('faults')}
            onSave={() => void save()}
          />
          <FormatBar
            editor={editor}
            chooseMedia={(kind) => void media.choose(kind)}
            families={session.fonts.families}
            link={{ isOpen: isLinkOpen, onOpenChange: setIsLinkOpen }}
            announce={announce}
          />
          <div>
            {showsLost && <LostFiles lost={session.lost} onDismiss={() => setShowsLost(false)} />}
            <div role="alert">
              {notice.tone === 'bad' && (
                <Banner label="Problem" tone="bad" onDismiss={() => setNotice({ tone: 'quiet', text: '' })}>
                  <p>{notice.text}</p>
                </Banner>
              )}
            </div>
          </div>
          <div className={styles.desk}>
            <main className={styles.scroller} aria-label="Page">
              <div className={styles.paper} data-width={width}>
                <EditorContent editor={editor} className={styles.content} />
              </div>
            </main>
            <Settings
              editor={editor}
              assets={files.assets()}
              families={session.fonts.families}
              onReplace={(pos) => void media.replace(pos)}
            />
          </div>
          <p role="status" className={styles.status} data-tone={notice.tone}>
            {notice.tone === 'bad' || (notice.tone === 'good' && isDirty) ? '' : notice.text}
          </p>
          <p role="status" className={styles.heard}>
            {announcement}
          </p>
        </div>
        <SlashMenu editor={editor} chooseMedia={(kind) => void media.choose(kind)} announce={announce} />
        {dialog === 'history' && (
          <HistoryDialog
            api={api}
            keptUntil={session.historyKeptUntil}
            hasUnsavedChanges={isDirty}
            onClose={() => setDialog(null)}
            onRolledBack={(rolledBack, version) =>
              onSession(rolledBack, {
                tone: 'quiet',
                text: `This is the version of ${momentOf(version.savedAt)}. Save to put it on the site.`,
              })
            }
          />
        )}
        {hasMovedOn && <MovedOnDialog onClose={dismissMovedOn} onSave={() => void save(true)} />}
        {dialog === 'keys' && <KeysDialog onClose={() => setDialog(null)} />}
        {dialog === 'faults' && <FaultsDialog api={api} onClose={() => setDialog(null)} />}
      </Tooltip.Provider>
    </CSPProvider>
  )
}

const atEnd = ({ state }: Editor): Place => ({ from: state.doc.content.size, to: state.doc.content.size })
