import type { FaceUsers, FamilyUsage, Users } from '@galley/library/records'
import type { MaterialId, SiteId, SnapshotId } from '@galley/wire'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { titleOf } from '../../domain/material-title.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Failed } from '../../ui/failed.tsx'
import { Lines } from '../../ui/lines.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { Titled } from '../../ui/titled.tsx'
import words from '../../ui/words.module.css'
import styles from './fonts.module.css'
import { shownWeights } from './loaded-face.ts'
import { useFontUsage } from './store.ts'
import { useStyleWord } from './style-word.ts'

interface Props {
  readonly site: SiteId
  readonly snapshotId: SnapshotId
  readonly onMaterial: (materialId: MaterialId) => void
}

/** Which current versions use which face, unused faces, and fonts that pages request but the set lacks. */
export function Usage({ site, snapshotId, onMaterial }: Props) {
  const { t } = useTranslation('fonts')
  const problemText = useProblemText()
  const { view, ask } = useFontUsage()
  useEffect(() => void ask(site, snapshotId), [ask, site, snapshotId])
  if (view.kind === 'failed') {
    const text = view.problem?.code === 'cancelled' ? problemText(view.problem) : t('usage.failed')
    return <Failed text={text} onRetry={() => void ask(site, snapshotId)} />
  }
  if (view.kind === 'loading' || view.items.snapshotId !== snapshotId) return <Skeleton rows={4} />
  const { families, missing, materialsRead } = view.items
  return (
    <PaneBody>
      <p className={words.meta}>{t('usage.read', { count: materialsRead })}</p>
      {missing.length > 0 && (
        <Titled title={t('usage.missing')}>
          <Lines>
            {missing.map((usage) => (
              <UsageEntry
                key={usage.family}
                name={usage.family}
                of={usage}
                by={usage.family}
                onMaterial={onMaterial}
                isMissing
              />
            ))}
          </Lines>
        </Titled>
      )}
      {families.length === 0 && <p className={words.meta}>{t('specimen.none')}</p>}
      <FamilyList families={families} onMaterial={onMaterial} />
      <p className={words.meta}>{t('usage.scope')}</p>
    </PaneBody>
  )
}

interface OfferedProps {
  readonly families: readonly FamilyUsage[]
  readonly onMaterial: (materialId: MaterialId) => void
}

/** The families of a set with their faces and their use in pages. */
function FamilyList({ families, onMaterial }: OfferedProps) {
  const { t } = useTranslation('fonts')
  const faceName = useFaceName()
  return families.map((usage) => {
    const { family, count, faces, lacking } = usage
    const isNamedOnly = count > 0 && faces.every((face) => face.count === 0)
    const line = (face: FaceUsers, isMissing: boolean) => {
      const name = faceName(face)
      const by = [family, name].join(' · ')
      return <UsageEntry key={name} name={name} by={by} of={face} onMaterial={onMaterial} isMissing={isMissing} />
    }
    return (
      <Titled key={family} label={family} title={family}>
        <Lines>
          {faces.map((face) => line(face, false))}
          {lacking.map((face) => line(face, true))}
          {isNamedOnly && <UsageEntry name={t('usage.namedOnly')} by={family} of={usage} onMaterial={onMaterial} />}
        </Lines>
      </Titled>
    )
  })
}

function useFaceName(): (face: Pick<FaceUsers, 'weight' | 'style'>) => string {
  const { t } = useTranslation('fonts')
  const styleWord = useStyleWord()
  return ({ weight, style }) => [t('specimen.weight', { weight: shownWeights(weight) }), styleWord(style)].join(' · ')
}

interface UsedProps {
  readonly name: string
  /** Label of the list of materials. */
  readonly by: string
  readonly of: Users
  readonly onMaterial: (materialId: MaterialId) => void
  readonly isMissing?: boolean
}

/** A face or family with the materials that use it. */
function UsageEntry({ name, by, of: { count, materials }, onMaterial, isMissing = false }: UsedProps) {
  const { t } = useTranslation('fonts')
  return (
    <li>
      <div className={styles.file}>
        <strong>{name}</strong>
        {count === 0 && <Status tone="neutral" word={t('usage.unused')} />}
        {isMissing && <Status tone="danger" word={t('usage.absent')} />}
        <span className={`${words.meta} ${styles.apart}`}>{t('usage.materials', { count })}</span>
      </div>
      {materials.length > 0 && (
        <ul aria-label={t('usage.users', { family: by })} className={styles.users}>
          {materials.map((material) => (
            <li key={material.materialId}>
              <LinkButton onClick={() => onMaterial(material.materialId)}>{titleOf(material)}</LinkButton>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
