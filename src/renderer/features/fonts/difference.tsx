import type { FontFace, SnapshotDifference, SnapshotRow } from '@galley/library/records'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Failed } from '../../ui/failed.tsx'
import { Lines } from '../../ui/lines.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Titled } from '../../ui/titled.tsx'
import words from '../../ui/words.module.css'
import { shownWeights } from './loaded-face.ts'
import { useFontDifference } from './store.ts'
import { useStyleWord } from './style-word.ts'

interface Props {
  readonly snapshot: SnapshotRow
  readonly others: readonly SnapshotRow[]
}

/** Compares a font set with another one, by default the previous one. */
export function Difference({ snapshot, others }: Props) {
  const { t } = useTranslation('fonts')
  const formats = useFormats()
  const { view, compare } = useFontDifference()
  const older = others.find(({ receivedAt }) => receivedAt < snapshot.receivedAt) ?? others[0]
  const [chosen, setChosen] = useState<string | null>(null)
  const other = others.find(({ snapshotId }) => snapshotId === chosen) ?? older
  const otherId = other?.snapshotId
  useEffect(() => {
    if (otherId !== undefined) void compare(snapshot.site, otherId, snapshot.snapshotId)
  }, [compare, snapshot.site, snapshot.snapshotId, otherId])
  if (otherId === undefined) return <p className={words.meta}>{t('difference.alone')}</p>
  return (
    <PaneBody>
      <SelectField
        label={t('difference.with')}
        value={otherId}
        onChange={setChosen}
        options={others.map(({ snapshotId, receivedAt }) => ({
          value: snapshotId,
          label: formats.exact(receivedAt),
        }))}
      />
      {view.kind === 'loading' && <Skeleton rows={3} />}
      {view.kind === 'failed' && (
        <Failed
          text={t('difference.failed')}
          onRetry={() => void compare(snapshot.site, otherId, snapshot.snapshotId)}
        />
      )}
      {view.kind === 'ready' && <Changes difference={view.items} />}
    </PaneBody>
  )
}

function Changes({ difference }: { readonly difference: SnapshotDifference }) {
  const { t } = useTranslation('fonts')
  const styleWord = useStyleWord()
  const nameOf = ({ family, weight, style }: FontFace): string =>
    `${family} · ${shownWeights(weight)} · ${styleWord(style)}`
  const groups = [
    ['facesAdded', difference.facesAdded.map(nameOf)],
    ['facesRemoved', difference.facesRemoved.map(nameOf)],
    ['facesChanged', difference.facesChanged.map(({ after }) => nameOf(after))],
    ['filesAdded', difference.filesAdded],
    ['filesRemoved', difference.filesRemoved],
    ['filesChanged', difference.filesChanged],
  ] as const
  const shown = groups.filter(([, names]) => names.length > 0)
  if (shown.length === 0)
    return <p className={words.meta}>{difference.cssChanged ? t('difference.cssOnly') : t('difference.nothing')}</p>
  return shown.map(([key, names]) => (
    <Titled key={key} title={t(`difference.${key}`, { count: names.length })}>
      <Lines>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </Lines>
    </Titled>
  ))
}
