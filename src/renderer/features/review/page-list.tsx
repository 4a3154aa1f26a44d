import type { TFunction } from 'i18next'
import { useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { thumbnailUrl } from '../../../ipc/thumbnail-url.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { sentenceOf } from '../../domain/change-sentence.ts'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { useDrawnRows } from '../../ui/grid/use-drawn-rows.ts'
import { usePagedRows } from '../../ui/grid/use-paged-rows.ts'
import { Message } from '../../ui/message.tsx'
import { useNow } from '../../ui/now.ts'
import { Pane } from '../../ui/pane.tsx'
import { PassingContext, usePassing } from '../../ui/passing.ts'
import { Pictured } from '../../ui/pictured.tsx'
import { AllClear } from './all-clear.tsx'
import styles from './desk.module.css'
import { InboxHead } from './inbox-head.tsx'
import { indexOfPage, useInbox, useInboxRows } from './inbox.ts'
import type { WaitingPage } from './inbox.ts'
import { AnsweredPages, FailedSaves } from './list-beside.tsx'
import { useDesk } from './store.ts'

/** Of a page, with its sentence, and of a version, whose row says less. */
const rowPxOf = { page: 97, version: 87 }

/** The inbox: what waits, with a sentence about each page. */
export function PageList() {
  const { t } = useTranslation('desk')
  const { list, of } = useInbox()
  if (of !== null)
    return (
      <Pane name="list" level={2} title={t('versions')}>
        <WaitingPages />
      </Pane>
    )
  return (
    <Pane name="list" title={t('title')}>
      <InboxHead />
      {list === 'failed' ? <FailedSaves /> : list === 'answered' ? <AnsweredPages /> : <WaitingPages />}
    </Pane>
  )
}

function WaitingPages() {
  const { t } = useTranslation('desk')
  const read = useInboxRows()
  const at = useDesk((state) => state.at)
  const { list, of } = useInbox()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = usePagedRows(read)
  const keyAt = useCallback((index: number): string | undefined => rows.at(index)?.key, [rows])
  const activeIndex = indexOfPage(read, at)
  const rowPx = rowPxOf[of === null ? 'page' : 'version']
  const { drawn, heightPx, scrollTo } = useDrawnRows({ grid: scroller, rows, keyAt, activeIndex, rowPx })
  const isPassing = usePassing(scroller)
  const seen = drawn.flatMap(({ index }) => rows.at(index) ?? [])
  useCompared(isPassing || of !== null ? [] : seen)
  const key = at?.key
  useEffect(() => {
    if (activeIndex !== null) scrollTo(activeIndex)
    // Only when another page is read: the list may be scrolled away from it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key])
  if (read.total === 0 && of !== null) return <Message text={t('goneVersion')} />
  if (read.total === 0) return list === 'review' ? <AllClear /> : <Message text={t('noneRequested')} />
  return (
    <PassingContext value={isPassing}>
      <div ref={scroller} className={styles.rows}>
        <ol aria-label={t(of === null ? 'pages' : 'versions')} style={{ height: heightPx }} data-keeps-space>
          {drawn.map(({ index, start }) => {
            const row = rows.at(index)
            return (
              <li
                key={keyAt(index) ?? index}
                className={styles.item}
                style={{ translate: `0 ${start}px`, height: rowPx }}
                aria-posinset={index + 1}
                aria-setsize={read.total}
              >
                {row !== undefined && <Row row={row} isChosen={index === activeIndex} />}
              </li>
            )
          })}
        </ol>
      </div>
    </PassingContext>
  )
}

/** Has the pages compared that are seen. */
function useCompared(seen: readonly WaitingPage[]): void {
  const bridge = useBridge()
  const wanted = seen.filter(({ summary }) => summary === null)
  const asked = JSON.stringify(wanted.map(({ site, materialId, after }) => [site, materialId, after]))
  useEffect(() => {
    const pages = wanted.map(({ site, materialId }) => ({ site, materialId }))
    if (pages.length > 0) void bridge.call('compareLater', { pages }).catch(() => null)
    // The same pages are asked for once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [bridge, asked])
}

/** What changed on a page of the inbox; three dots as long as it is not known. */
export function rowSentence(
  { before, summary }: Pick<WaitingPage, 'before' | 'summary'>,
  t: TFunction<'desk'>,
): string {
  if (before === null) return t('newPage')
  if (summary === null) return '…'
  return summary.isUnchanged && summary.looksEqual === true ? t('noVisibleChange') : sentenceOf({ summary }, t)
}

function Row({ row, isChosen }: { readonly row: WaitingPage; readonly isChosen: boolean }) {
  const { t } = useTranslation('desk')
  const formats = useFormats()
  const nowMs = useNow()
  const open = useDesk((state) => state.open)
  const { isAllSites, of } = useInbox()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isChosen) return
    // After a decision the focus goes with the pages, unless somebody is typing.
    const focused = document.activeElement
    if (focused === document.body || focused?.closest('[data-desk]') !== null)
      button.current?.focus({ preventScroll: true })
  }, [isChosen])
  const { site, materialId, after: versionId, number, since, savedBy, savedAt, isCurrent } = row
  const who = savedBy ?? t('unknownWho')
  const name = of === null ? titleOf(row) : t(isCurrent ? 'currentVersion' : 'version', { number })
  const sentence = of === null ? rowSentence(row, t) : null
  return (
    <button
      ref={button}
      type="button"
      className={styles.row}
      data-desk
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => open(row)}
    >
      <span className={styles.name} title={name}>
        {name}
      </span>
      <div className={styles.below}>
        <Pictured src={thumbnailUrl({ site, materialId, versionId })}>
          {sentence !== null && (
            <span className={styles.sentence} title={sentence}>
              {sentence}
            </span>
          )}
          <Remark row={row} />
          <span className={styles.writer} title={t('saved', { when: formats.exact(savedAt), who })}>
            {isAllSites && `${site} · `}
            {formats.relative(since, nowMs)} · {shortName(who)}
          </span>
        </Pictured>
        {of === null && <Share row={row} />}
      </div>
    </button>
  )
}

/** What is before the `@` of an e-mail address: its row is narrow, and the rest is in its tooltip. */
const shortName = (who: string): string => who.replace(/(?<=.)@.*$/, '')

/** What else is known of a page: what was requested, or that its last save failed. */
function Remark({ row: { failedSave, verdict, answers } }: { readonly row: WaitingPage }) {
  const { t } = useTranslation('desk')
  const text =
    failedSave !== null
      ? t('remarks.failed')
      : verdict?.decision === 'changes_requested'
        ? t('remarks.requested', { by: verdict.by, reason: verdict.reason })
        : verdict !== null
          ? t('remarks.approved', { by: verdict.by })
          : answers !== null
            ? t('remarks.answers', { reason: answers.reason })
            : null
  return (
    text !== null && (
      <span
        className={styles.remark}
        data-failed={failedSave !== null || undefined}
        data-approved={verdict?.decision === 'approved' || undefined}
        title={text}
      >
        {text}
      </span>
    )
  )
}

/** The number of changed words that fills the bar. */
const fullWords = 200

/** A bar that shows how much changed. */
function Share({ row: { before, summary } }: { readonly row: WaitingPage }) {
  if (before !== null && summary === null) return null
  const { changes, words } = (before === null ? null : summary) ?? {
    changes: fullWords,
    words: { added: 0, removed: 0 },
  }
  const share = Math.min(1, (changes * 5 + words.added + words.removed) / fullWords)
  return (
    <span className={styles.bar} aria-hidden>
      <span style={{ inlineSize: `${Math.max(4, Math.round(share * 100))}%` }} />
    </span>
  )
}
