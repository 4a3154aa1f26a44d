import type { SitePageRow } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { thumbnailUrl } from '../../../ipc/thumbnail-url.ts'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import type { Column } from '../../ui/grid/column.ts'
import { useNow } from '../../ui/now.ts'
import { Pictured } from '../../ui/pictured.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { TwoLines, Wrapped } from '../../ui/two-lines.tsx'
import { InlineState, InlineTags } from './inline.tsx'
import { useOnlineWord } from './online-status.tsx'
import type { PageHandlers } from './page-menu.ts'
import { heldBack, onlineTones, onlineView } from './reader-view.ts'
import { usePageRows } from './store.ts'

/**
 * The columns of the table. Sortable ones match the orders of the main process. State and tags are buttons to edit them in place.
 * Address and what is online share a column with others until there is a column for them. There are tags while a page has one.
 */
export function usePageColumns(site: SiteId, handlers: PageHandlers): readonly Column<SitePageRow>[] {
  const { t } = useTranslation('pages')
  const formats = useFormats()
  const nowMs = useNow()
  const addressIn = useAddress()
  const versionWord = useVersionWord()
  const onlineWord = useOnlineWord(nowMs)
  const more = useHiddenColumns(nowMs)
  const hasTags = usePageRows(({ rows }) => [...rows.values()].some(({ settings }) => settings.tags.length > 0))
  return useMemo(
    () => [
      {
        key: 'title',
        title: t('columns.title'),
        leastWidth: 180,
        sorts: 'asc',
        cell: ({ title, materialId, outgoingVersionId, currentVersionId, settings }, shows) => {
          const versionId = outgoingVersionId ?? currentVersionId
          return (
            <Pictured src={versionId === null ? null : thumbnailUrl({ site, materialId, versionId })}>
              <Wrapped below={shows('address') ? undefined : addressIn(settings)}>
                {titleOf({ title, materialId })}
              </Wrapped>
            </Pictured>
          )
        },
      },
      ...(hasTags ? [tagsColumn(t('columns.tags'), handlers)] : []),
      {
        key: 'state',
        title: t('columns.state'),
        sorts: 'asc',
        width: 160,
        shownFrom: 360,
        cell: (page, shows) => (
          <TwoLines
            first={<InlineState page={page} nowMs={nowMs} handlers={handlers} />}
            second={
              shows('online')
                ? t(page.settings.pinned ? `pinned.${page.settings.type}` : `types.${page.settings.type}`)
                : onlineWord(page)
            }
          />
        ),
      },
      {
        key: 'version',
        title: t('columns.version'),
        width: 148,
        shownFrom: 900,
        cell: (page) => (
          <TwoLines
            first={
              page.outgoingNumber === null ? t('versions.none') : t('versions.number', { number: page.outgoingNumber })
            }
            second={versionWord(page)}
          />
        ),
      },
      {
        key: 'online',
        title: t('columns.online'),
        width: 196,
        shownFrom: 900,
        cell: (page) => (
          <TwoLines
            first={<Status tone={onlineTones[onlineView(page).kind]} word={onlineWord(page)} />}
            second={page.online.length > 0 && formats.list(page.online.map(({ target }) => target))}
          />
        ),
      },
      ...more,
    ],
    [more, hasTags, addressIn, versionWord, onlineWord, t, formats, nowMs, site, handlers],
  )
}

const tagsColumn = (title: string, handlers: PageHandlers): Column<SitePageRow> => ({
  key: 'tags',
  title,
  width: 148,
  shownFrom: 800,
  cell: (page) => <InlineTags page={page} onEdit={handlers.editTags} />,
})

/** The decision on the published version, or why a newer one is held back. */
function useVersionWord(): (page: SitePageRow) => string {
  const { t } = useTranslation('pages')
  return useCallback(
    (page) => {
      const held = heldBack(page)
      if (held !== null) return t(`versions.held.${held.why}`, { number: held.number })
      return page.outgoingNumber === null ? '' : t(`versions.verdicts.${page.outgoingVerdict ?? 'none'}`)
    },
    [t],
  )
}

type AddressOf = (settings: SitePageRow['settings']) => string

function useAddress(): AddressOf {
  const { t } = useTranslation('pages')
  return useCallback(({ path }) => (path === null ? t('noAddress') : `/${path}/`), [t])
}

/** Columns that are hidden by default; their values appear in another column. */
function useHiddenColumns(nowMs: number): readonly Column<SitePageRow>[] {
  const { t } = useTranslation('pages')
  const addressIn = useAddress()
  return useMemo(
    () => [
      {
        key: 'published',
        title: t('columns.published'),
        sorts: 'desc',
        width: 148,
        isHiddenAtFirst: true,
        cell: ({ settings }) => settings.published !== null && <Time iso={settings.published} nowMs={nowMs} />,
      },
      {
        key: 'updated',
        title: t('columns.updated'),
        sorts: 'desc',
        width: 148,
        isHiddenAtFirst: true,
        cell: ({ updated }) => updated !== null && <Time iso={updated} nowMs={nowMs} />,
      },
      {
        key: 'address',
        title: t('columns.address'),
        sorts: 'asc',
        width: 200,
        isHiddenAtFirst: true,
        isMeta: true,
        cell: ({ settings }) => {
          const address = addressIn(settings)
          return <span title={address}>{address}</span>
        },
      },
    ],
    [t, nowMs, addressIn],
  )
}
