import type { SitePageRow } from '@galley/library/records'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Status } from '../../ui/status.tsx'
import { onlineTones, onlineView } from './reader-view.ts'

/** Words for what readers see of a page. */
export function useOnlineWord(nowMs: number): (page: SitePageRow) => string {
  const { t } = useTranslation('pages')
  const formats = useFormats()
  return useCallback(
    (page) => {
      const view = onlineView(page)
      return 'since' in view
        ? t(`online.${view.kind}`, { when: formats.day(view.since, nowMs) })
        : t(`online.${view.kind}`)
    },
    [t, formats, nowMs],
  )
}

/** What readers see of a page. */
export function OnlineStatus({ page, nowMs }: { readonly page: SitePageRow; readonly nowMs: number }) {
  const word = useOnlineWord(nowMs)
  return <Status tone={onlineTones[onlineView(page).kind]} word={word(page)} />
}
