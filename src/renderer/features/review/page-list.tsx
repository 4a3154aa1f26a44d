import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import type { ComparedPages, WaitingPage } from '../../../ipc/desk.ts'
import { thumbnailUrl } from '../../../ipc/thumbnail-url.ts'
import { itemsOf } from '../../bridge/answers.ts'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { useNow } from '../../ui/now.ts'
import { Pane } from '../../ui/pane.tsx'
import { Pictured } from '../../ui/pictured.tsx'
import { useDecidedText } from './all-clear.tsx'
import { useComparison } from './comparisons.ts'
import styles from './desk.module.css'
import { sentenceOf } from './sentence.ts'
import { useDesk } from './store.ts'

/** The pages that wait, with a sentence about each. */
export function PageList() {
  const { t } = useTranslation('desk')
  const { view, at, decided } = useDesk()
  const decidedText = useDecidedText()
  const rows = itemsOf(view)
  const changed = rows.filter(({ before }) => before !== null).length
  const fresh = rows.length - changed
  const counts = [
    ...(changed > 0 ? [t('changed', { count: changed })] : []),
    ...(fresh > 0 ? [t('new', { count: fresh })] : []),
  ]
  return (
    <Pane name="list" title={t('title')}>
      <div className={styles.heading} role="status">
        <p>{counts.join(' · ')}</p>
        {decided.length > 0 && <p className={styles.meta}>{decidedText(decided)}</p>}
      </div>
      <ol className={styles.rows} aria-label={t('pages')} data-keeps-space>
        {rows.map((row) => (
          <Row
            key={`${row.site} ${row.materialId}`}
            row={row}
            isChosen={row.site === at?.site && row.materialId === at.materialId}
          />
        ))}
      </ol>
    </Pane>
  )
}

function Row({ row, isChosen }: { readonly row: WaitingPage; readonly isChosen: boolean }) {
  const { t } = useTranslation('desk')
  const formats = useFormats()
  const nowMs = useNow()
  const open = useDesk((state) => state.open)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const compared = useComparison(row)
  useEffect(() => {
    const { current } = button
    if (!isChosen || current === null) return
    current.scrollIntoView({ block: 'nearest' })
    // After a decision the focus goes with the pages, unless somebody is typing.
    const focused = document.activeElement
    if (focused === document.body || focused?.closest('[data-desk]') !== null) current.focus({ preventScroll: true })
  }, [isChosen])
  const { site, materialId, after: versionId, by, since } = row
  const who = by ?? t('unknownWho')
  const sentence = row.before === null ? t('newPage') : compared === undefined ? '…' : sentenceOf(compared, t)
  return (
    <li>
      <button
        ref={button}
        type="button"
        className={styles.row}
        data-desk
        aria-labelledby={id}
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => open(row)}
      >
        <Pictured src={thumbnailUrl({ site, materialId, versionId })}>
          <div id={id}>
            <span className={styles.name} title={titleOf(row)}>
              {titleOf(row)}
            </span>
            <span className={styles.sentence}>{sentence}</span>
            <span className={styles.meta} title={t('saved', { when: formats.exact(since), who })}>
              {formats.relative(since, nowMs)}
              <Share compared={compared} />
            </span>
            <span className={styles.writer}>{breakable(who)}</span>
          </div>
        </Pictured>
      </button>
    </li>
  )
}

/** An e-mail address that breaks behind its `@`. */
function breakable(who: string): ReactNode {
  const at = who.indexOf('@') + 1
  return (
    <>
      {who.slice(0, at)}
      <wbr />
      {who.slice(at)}
    </>
  )
}

/** The number of changed words that fills the bar. */
const fullWords = 200

/** A bar that shows how much changed. */
function Share({ compared }: { readonly compared: ComparedPages | null | undefined }) {
  if (compared === undefined) return null
  const { changes, words } = compared?.summary ?? { changes: fullWords, words: { added: 0, removed: 0 } }
  const share = Math.min(1, (changes * 5 + words.added + words.removed) / fullWords)
  return (
    <span className={styles.bar} aria-hidden>
      <span style={{ inlineSize: `${Math.max(4, Math.round(share * 100))}%` }} />
    </span>
  )
}
