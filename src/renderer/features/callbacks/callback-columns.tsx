import type { CallbackRow } from '@galley/library/records'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import type { Column } from '../../ui/grid/column.ts'
import { useNow } from '../../ui/now.ts'
import { Time } from '../../ui/time.tsx'
import { Wrapped } from '../../ui/two-lines.tsx'
import { OutcomeStatus } from './outcome.tsx'
import { SignatureStatus } from './signature-status.tsx'
import { useCallbackRows } from './store.ts'

/**
 * The log's columns; `received` and `duration` are sortable. The site column appears when the log shows several
 * sites, the signature when one of those that were read is not valid.
 */
export function useCallbackColumns(hasSites: boolean): readonly Column<CallbackRow>[] {
  const { t } = useTranslation('callbacks')
  const formats = useFormats()
  const nowMs = useNow()
  const hasWrongSignature = useCallbackRows(({ rows }) =>
    [...rows.values()].some(({ signature }) => signature !== 'valid'),
  )
  return useMemo(
    () => [
      {
        key: 'outcome',
        title: t('columns.outcome'),
        width: 132,
        cell: ({ outcome }) => <OutcomeStatus outcome={outcome} />,
      },
      {
        key: 'event',
        title: t('columns.event'),
        width: 70,
        isMeta: true,
        // With a site column, the material needs the space.
        shownFrom: hasSites ? 900 : 760,
        cell: ({ kind }) => t(`shortEvents.${kind}`),
      },
      {
        key: 'material',
        title: t('columns.material'),
        cell: ({ materialTitle, materialId }) => (
          <Wrapped>{(materialTitle || materialId) ?? <None label={t('noMaterial')} />}</Wrapped>
        ),
      },
      ...(hasSites
        ? [{ key: 'site', title: t('columns.site'), width: 104, cell: ({ site }: CallbackRow) => site }]
        : []),
      {
        key: 'duration',
        title: t('columns.duration'),
        width: 84,
        shownFrom: 680,
        align: 'end',
        isMeta: true,
        sorts: 'desc',
        cell: ({ durationMs }) => durationMs !== null && formats.duration(durationMs),
      },
      {
        key: 'received',
        title: t('columns.received'),
        width: 118,
        isMeta: true,
        sorts: 'desc',
        cell: ({ receivedAt }) => <Time iso={receivedAt} nowMs={nowMs} />,
      },
      ...(hasWrongSignature
        ? [
            {
              key: 'signature',
              title: t('columns.signature'),
              width: 90,
              shownFrom: 600,
              cell: ({ signature }: CallbackRow) => <SignatureStatus signature={signature} />,
            },
          ]
        : []),
    ],
    [t, formats, nowMs, hasSites, hasWrongSignature],
  )
}

const None = ({ label }: { readonly label: string }) => (
  <span role="img" aria-label={label}>
    –
  </span>
)
