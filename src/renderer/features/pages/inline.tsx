import type { SitePageRow } from '@galley/library/records'
import type { ReactElement } from 'react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'

import { titleOf } from '../../domain/material-title.ts'
import { Menu } from '../../ui/menu.tsx'
import { Status } from '../../ui/status.tsx'
import { useStateItems } from './page-menu.ts'
import type { PageHandlers } from './page-menu.ts'
import styles from './pages.module.css'
import { readerTone, readerView } from './reader-view.ts'

/** The effect of the next publication on a page, in one word. */
export function PageStatus({ page, nowMs }: { readonly page: SitePageRow; readonly nowMs: number }) {
  const { t } = useTranslation('pages')
  return <Status tone={readerTone(page, nowMs)} word={t(`readers.word.${readerView(page, nowMs).kind}`)} />
}

/** A control in a row that is not a tab stop: the keys and the menu of the row do the same. */
const Inline = ({ children }: { readonly children: ReactElement }) => (
  // A click must not reach the row, which would take the focus from the menu.
  // oxlint-disable-next-line click-events-have-key-events, no-static-element-interactions
  <span
    className={styles.inline}
    onClick={(event) => event.stopPropagation()}
    onDoubleClick={(event) => event.stopPropagation()}
  >
    {children}
  </span>
)

interface StateProps {
  readonly page: SitePageRow
  readonly nowMs: number
  readonly handlers: PageHandlers
}

/** The state of a page; a click changes it. */
export function InlineState({ page, nowMs, handlers }: StateProps) {
  const { t } = useTranslation('pages')
  const itemsOf = useStateItems(handlers)
  return (
    <Inline>
      <Menu
        onOpen={() => handlers.choose(page.materialId)}
        trigger={
          <button
            type="button"
            tabIndex={-1}
            className={styles.button}
            aria-label={t('inline.state', {
              title: titleOf(page),
              state: t(`readers.word.${readerView(page, nowMs).kind}`),
            })}
          >
            <PageStatus page={page} nowMs={nowMs} />
          </button>
        }
        items={itemsOf(page)}
      />
    </Inline>
  )
}

interface TagsProps {
  readonly page: SitePageRow
  readonly onEdit: PageHandlers['editTags']
}

/** The tags of a page; a click changes them. */
export function InlineTags({ page, onEdit }: TagsProps) {
  const { t } = useTranslation('pages')
  const { tags } = page.settings
  return (
    <Inline>
      <button
        type="button"
        tabIndex={-1}
        className={styles.button}
        title={tags.length === 0 ? t('inline.addTags') : tags.join(', ')}
        onClick={() => onEdit([page.materialId])}
      >
        {tags.length === 0 ? (
          <span className={styles.none}>{t('inline.addTags')}</span>
        ) : (
          tags.map((tag) => (
            <Fragment key={tag}>
              <span className={styles.tag}>{tag}</span>{' '}
            </Fragment>
          ))
        )}
      </button>
    </Inline>
  )
}
