import type { FontFace, SnapshotDifference, SnapshotRow } from '@galley/library/records'
import type { MaterialId, SnapshotId } from '@galley/wire'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Failed } from '../../ui/failed.tsx'
import { Lines } from '../../ui/lines.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane, PaneBody } from '../../ui/pane.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Source } from '../../ui/source.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Titled } from '../../ui/titled.tsx'
import words from '../../ui/words.module.css'
import { shownWeights } from './loaded-face.ts'
import { Specimens } from './specimens.tsx'
import { useFontDifference, useSnapshot } from './store.ts'
import { useStyleWord } from './style-word.ts'
import { Summary } from './summary.tsx'
import { Usage } from './usage.tsx'

interface Props {
  readonly snapshotId: SnapshotId | null
  readonly all: readonly SnapshotRow[]
  readonly onCopy: (text: string) => void
  readonly onMaterial: (materialId: MaterialId) => void
}

interface DifferenceProps {
  readonly snapshot: SnapshotRow
  readonly others: readonly SnapshotRow[]
}

/** Compares a font set with another one, by default the previous one. */
function Difference({ snapshot, others }: DifferenceProps) {
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

/** One font set: specimens, files, CSS, usage, and comparison with another set. */
export function SnapshotPane({ snapshotId, all, onCopy, onMaterial }: Props) {
  const { t } = useTranslation('fonts')
  const formats = useFormats()
  const { view, load } = useSnapshot()
  const row = all.find((each) => each.snapshotId === snapshotId)
  const content = (): React.ReactNode => {
    if (snapshotId === null) return <Message text={t('noneSelected')} />
    if (view.kind === 'loading') return <Skeleton rows={5} />
    if (view.kind === 'failed') return <Failed text={t('detailFailed')} onRetry={() => void load()} />
    const snapshot = view.items
    const others = all.filter((other) => other.snapshotId !== snapshot.snapshotId)
    return (
      <Tabs
        label={t('detail')}
        tabs={[
          { key: 'specimens', title: t('tabs.specimens'), panel: () => <Specimens faces={snapshot.faces} /> },
          { key: 'files', title: t('tabs.files'), panel: () => <Summary snapshot={snapshot} onCopy={onCopy} /> },
          {
            key: 'usage',
            title: t('tabs.usage'),
            panel: () => <Usage site={snapshot.site} snapshotId={snapshot.snapshotId} onMaterial={onMaterial} />,
          },
          {
            key: 'difference',
            title: t('tabs.difference'),
            panel: () => <Difference snapshot={snapshot} others={others} />,
          },
          { key: 'css', title: t('tabs.css'), panel: () => <Source label={t('tabs.css')} text={snapshot.css} /> },
        ]}
      />
    )
  }
  return (
    <Pane name="inspector" level={2} title={row === undefined ? t('detail') : formats.exact(row.receivedAt)}>
      {content()}
    </Pane>
  )
}
