import type { VersionRow } from '@galley/library/records'
import { versionMoment } from '@galley/library/records'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import { useFormats } from '../../i18n/formats.ts'
import { useNow } from '../../ui/now.ts'
import { SelectField } from '../../ui/select.tsx'
import type { WaitingPage } from './inbox.ts'
import { useDesk } from './store.ts'

/** More versions are not offered: those that matter for a review are the newest. */
const offeredAtMost = 500
const nothing = ''

/** Chooses the version that the page is compared with. */
export function ComparedWith({ at: { site, materialId, before, after } }: { readonly at: WaitingPage }) {
  const { t } = useTranslation(['desk', 'review'])
  const formats = useFormats()
  const nowMs = useNow()
  const compareWith = useDesk((state) => state.compareWith)
  const versions = useVersionsOf(site, materialId)
  if (versions === null) return null
  const wordsOf = (version: VersionRow): string =>
    [
      t('version', { number: version.number }),
      formats.dayAndMinute(versionMoment(version), nowMs),
      ...(version.verdict === null ? [] : [t(`review:verdicts.${version.verdict.decision}`)]),
    ].join(' · ')
  return (
    <SelectField
      label={t('comparedWith')}
      value={before ?? nothing}
      onChange={(chosen) => compareWith(chosen === nothing ? null : chosen)}
      options={[
        { value: nothing, label: t('comparedWithNothing') },
        ...versions
          .filter(({ versionId }) => versionId !== after)
          .map((version) => ({ value: version.versionId, label: wordsOf(version) })),
      ]}
    />
  )
}

/** The versions of a page, newest first; null until they are read. */
function useVersionsOf(site: string, materialId: string): readonly VersionRow[] | null {
  const bridge = useBridge()
  const [versions, setVersions] = useState<readonly VersionRow[] | null>(null)
  useEffect(() => {
    let isCurrent = true
    void bridge
      .call('queryVersions', { site, materialId, offset: 0, limit: offeredAtMost })
      .then(({ rows }) => isCurrent && setVersions(rows))
      .catch(() => null)
    return () => {
      isCurrent = false
    }
  }, [bridge, site, materialId])
  return versions
}
