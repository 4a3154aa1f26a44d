import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { isLanguage } from '../../texts/catalogue.ts'
import { Dialog, DialogBody } from '../ui/dialog.tsx'
import { Message } from '../ui/message.tsx'
import { Search } from '../ui/search.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import words from '../ui/words.module.css'
import styles from './guide.module.css'
import { loadGuide, searchGuide, sectionOf } from './guide.ts'
import type { GuideBlock, GuideSection, GuideSpan } from './guide.ts'

interface Props {
  /** The code whose paragraph is shown at first; null: the first page. */
  readonly code: string | null
  readonly actions: ReactNode
  readonly onClose: () => void
}

/** The guide: its pages, a search through all of them, and the paragraph that explains a code. */
export function GuideDialog({ code, actions, onClose }: Props) {
  const { t } = useTranslation('help')
  const guide = useGuide()
  const [text, setText] = useState('')
  const [page, setPage] = useState<string | null>(null)
  const sought = page === null && code !== null ? sectionOf(guide, code) : null
  const shownPage = page ?? sought?.page ?? guide[0]?.page
  const isSearch = text.trim() !== ''
  const shown = isSearch ? searchGuide(guide, text) : guide.filter((section) => section.page === shownPage)
  return (
    <Dialog title={t('title')} size="full" onClose={onClose}>
      <DialogBody actions={actions}>
        <div className={styles.search}>
          <Search label={t('search')} hint={t('search')} text={text} onChange={setText} />
        </div>
        {guide.length === 0 ? (
          <Skeleton rows={6} />
        ) : (
          <div className={styles.guide}>
            <nav aria-label={t('contents')} className={styles.pages}>
              {guide
                .filter(({ isFirst }) => isFirst)
                .map((first) => (
                  <button
                    key={first.id}
                    type="button"
                    className={styles.page}
                    aria-current={!isSearch && first.page === shownPage ? 'page' : undefined}
                    onClick={() => {
                      setText('')
                      setPage(first.page)
                    }}
                  >
                    {first.title}
                  </button>
                ))}
            </nav>
            {/* Focusable, so that the keyboard can scroll it. */}
            <div
              key={isSearch ? text : shownPage}
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              role="region"
              aria-label={t('title')}
              className={styles.sections}
              data-found
            >
              {shown.length === 0 && <Message title={t('noMatch')} text={t('noMatchText')} />}
              {shown.map((section) => (
                <Section key={section.id} section={section} isSought={section.id === sought?.id} />
              ))}
            </div>
          </div>
        )}
      </DialogBody>
    </Dialog>
  )
}

/** The guide in the language of the window; empty until it is loaded. */
function useGuide(): readonly GuideSection[] {
  const { i18n } = useTranslation()
  const { language } = i18n
  const [guide, setGuide] = useState<readonly GuideSection[]>([])
  useEffect(() => {
    let isCurrent = true
    void loadGuide(isLanguage(language) ? language : 'en').then((loaded) => isCurrent && setGuide(loaded))
    return () => {
      isCurrent = false
    }
  }, [language])
  return guide
}

function Section({ section, isSought }: { readonly section: GuideSection; readonly isSought: boolean }) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isSought) return
    place.current?.scrollIntoView({ block: 'start' })
    place.current?.focus({ preventScroll: true })
  }, [isSought])
  return (
    <section ref={place} tabIndex={-1} className={isSought ? `${styles.section} ${styles.sought}` : styles.section}>
      <h3 className={section.isFirst ? styles.title : styles.heading}>{section.title}</h3>
      {section.blocks.map((block, at) => (
        // Blocks never move.
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={at} block={block} />
      ))}
    </section>
  )
}

function Block({ block }: { readonly block: GuideBlock }) {
  if (block.kind === 'code') return <pre className={words.code}>{block.text}</pre>
  if (block.kind === 'text') return <p>{block.spans.map(spanOf)}</p>
  // Items never move.
  // oxlint-disable-next-line react/no-array-index-key
  const items = block.items.map((spans, at) => <li key={at}>{spans.map(spanOf)}</li>)
  return block.isOrdered ? <ol className={styles.list}>{items}</ol> : <ul className={styles.list}>{items}</ul>
}

function spanOf(span: GuideSpan, at: number): ReactNode {
  if (typeof span === 'string') return span
  return 'code' in span ? <code key={at}>{span.code}</code> : <strong key={at}>{span.strong}</strong>
}
