import type { SiteId, VersionId } from '@galley/wire'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import words from '../../ui/words.module.css'
import type { ChosenMaterial } from './draft.ts'
import styles from './exports.module.css'
import { useRead } from './read.ts'

interface Props {
  readonly site: SiteId
  readonly material: ChosenMaterial
  readonly onChange: (versionId: VersionId | null) => void
}

const offeredAtMost = 100
const current = ''

/** Which version of a material is taken: the one that the site's rule gives, or one of the newest by its moment. */
export function VersionChoice({ site, material, onChange }: Props) {
  const bridge = useBridge()
  const { t } = useTranslation(['exports', 'ui', 'versions'])
  const formats = useFormats()
  const { materialId, versionId } = material
  const { view, retry } = useRead(
    useCallback(
      () => bridge.call('queryVersions', { site, materialId, offset: 0, limit: offeredAtMost }),
      [bridge, site, materialId],
    ),
  )
  const { rows, total } = view.kind === 'ready' ? view.items : { rows: [], total: 0 }
  const isOffered = versionId === null || rows.some((row) => row.versionId === versionId)
  return (
    <div className={styles.version}>
      <Select<string>
        label={t('form.versionOf', { title: titleOf(material) })}
        value={versionId ?? current}
        onChange={(value) => onChange(value === current ? null : value)}
        options={[
          { value: current, label: t('form.currentVersion') },
          ...rows.map(({ versionId: value, number, receivedAt, verdict }) => ({
            value,
            label: [
              t('versions:number', { number }),
              formats.exact(receivedAt),
              ...(verdict === null ? [] : [t(`verdicts.${verdict.decision}`)]),
            ].join(' · '),
          })),
          ...(isOffered ? [] : [{ value: versionId, label: t('form.chosenVersion') }]),
        ]}
      />
      {total > rows.length && (
        <p className={words.meta}>{t('form.versionsMore', { shown: rows.length, all: total })}</p>
      )}
      {view.kind === 'failed' && (
        <p role="alert" className={`${words.meta} ${words.problem}`}>
          {t('form.versionsFailed')}
          <Button look="quiet" onClick={retry}>
            {t('ui:retry')}
          </Button>
        </p>
      )}
    </div>
  )
}
