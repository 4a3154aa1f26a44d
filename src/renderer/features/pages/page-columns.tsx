import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import type { SitePageRow } from '../../../contract/ipc/pages.ts'
import { thumbnailUrl } from '../../../contract/ipc/thumbnail-url.ts'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import type { Column } from '../../ui/grid/column.ts'
import { useNow } from '../../ui/now.ts'
import { Pictured } from '../../ui/pictured.tsx'
import { Time } from '../../ui/time.tsx'
import { TwoLines } from '../../ui/two-lines.tsx'
import { InlineState, InlineTags } from './inline.tsx'
import type { PageHandlers } from './page-menu.ts'

/** The table's columns. State and tags are buttons: a click changes them in place. */
export function usePageColumns(site: string, handlers: PageHandlers): readonly Column<SitePageRow>[] {
  const { t } = useTranslation('pages')
  const formats = useFormats()
  const nowMs = useNow()
  return useMemo(
    () => [
      {
        key: 'title',
        title: t('columns.title'),
        cell: ({ title, materialId, outgoingVersionId, currentVersionId, settings }) => {
          const versionId = outgoingVersionId ?? currentVersionId
          return (
            <Pictured src={versionId === null ? null : thumbnailUrl({ site, materialId, versionId })}>
              <TwoLines
                first={titleOf({ title, materialId })}
                second={settings.path === null ? t('noAddress') : `/${settings.path}/`}
              />
            </Pictured>
          )
        },
      },
      {
        key: 'tags',
        title: t('columns.tags'),
        width: 148,
        shownFrom: 560,
        cell: (page) => <InlineTags page={page} onEdit={handlers.editTags} />,
      },
      {
        key: 'state',
        title: t('columns.state'),
        width: 148,
        shownFrom: 360,
        cell: (page) => (
          <TwoLines
            first={<InlineState page={page} nowMs={nowMs} handlers={handlers} />}
            second={t(page.settings.pinned ? `pinned.${page.settings.type}` : `types.${page.settings.type}`)}
          />
        ),
      },
      {
        key: 'version',
        title: t('columns.version'),
        width: 120,
        shownFrom: 900,
        cell: ({ outgoingNumber, outgoingVersionId, currentVersionId, settings }) => (
          <TwoLines
            first={outgoingNumber === null ? t('versions.none') : t('versions.number', { number: outgoingNumber })}
            second={t(
              settings.version === 'latest' || settings.version === 'approved'
                ? outgoingVersionId === currentVersionId
                  ? 'versions.newest'
                  : 'versions.older'
                : 'versions.fixed',
            )}
          />
        ),
      },
      {
        key: 'published',
        title: t('columns.published'),
        width: 168,
        shownFrom: 740,
        cell: ({ settings, updated }) => (
          <TwoLines
            first={settings.published === null ? t('notPublished') : <Time iso={settings.published} nowMs={nowMs} />}
            second={updated !== null && t('updated', { when: formats.relative(updated, nowMs) })}
          />
        ),
      },
    ],
    [t, formats, nowMs, site, handlers],
  )
}
