import type { MaterialFilters } from '@galley/library/records'
import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { X } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { noFilters } from '../../../ipc/materials.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { VerdictStatus } from '../../domain/left-out.tsx'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Lines } from '../../ui/lines.tsx'
import { walkFound } from '../../ui/panes.ts'
import { Search } from '../../ui/search.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import words from '../../ui/words.module.css'
import type { ChosenMaterial } from './draft.ts'
import styles from './exports.module.css'
import { useRead } from './read.ts'

interface Props {
  readonly site: SiteId
  readonly chosen: readonly ChosenMaterial[]
  readonly onChange: (chosen: readonly ChosenMaterial[]) => void
}

const foundAtMost = 50
/** Each line loads its versions, so the list is limited. */
const linesAtMost = 50
/** A material that was never saved cannot be exported. */
const savedOnly: MaterialFilters = { ...noFilters, statuses: ['saved', 'approved', 'changes_requested'] }

interface VersionChoiceProps {
  readonly site: SiteId
  readonly material: ChosenMaterial
  readonly onChange: (versionId: VersionId | null) => void
}

const offeredAtMost = 100
const current = ''

/** Which version of a material is taken: the one that the site's rule gives, or one of the newest by its moment. */
function VersionChoice({ site, material, onChange }: VersionChoiceProps) {
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

/** Materials to take, found by their words, each with the version that is wanted. */
export function ChosenMaterials({ site, chosen, onChange }: Props) {
  const { t } = useTranslation('exports')
  const without = (materialId: MaterialId) => chosen.filter((each) => each.materialId !== materialId)
  return (
    <div className={styles.choice}>
      <FoundMaterials
        site={site}
        isChosen={(materialId) => chosen.some((each) => each.materialId === materialId)}
        onTake={(material) => onChange([...chosen, material])}
        onLeave={(materialId) => onChange(without(materialId))}
      />
      <Lines label={t('form.chosen')}>
        {chosen.slice(0, linesAtMost).map((material) => (
          <li key={material.materialId} className={styles.chosen}>
            <span className={styles.chosenTitle}>{titleOf(material)}</span>
            <VersionChoice
              site={site}
              material={material}
              onChange={(versionId) =>
                onChange(
                  chosen.map((each) => (each.materialId === material.materialId ? { ...each, versionId } : each)),
                )
              }
            />
            <Button look="quiet" icon={X} isIconOnly onClick={() => onChange(without(material.materialId))}>
              {t('form.leaveOut', { title: titleOf(material) })}
            </Button>
          </li>
        ))}
        {chosen.length > linesAtMost && <li>{t('plan.more', { count: chosen.length - linesAtMost })}</li>}
      </Lines>
    </div>
  )
}

interface FoundProps extends Pick<Props, 'site'> {
  readonly isChosen: (materialId: MaterialId) => boolean
  readonly onTake: (material: ChosenMaterial) => void
  readonly onLeave: (materialId: MaterialId) => void
}

/** The saved materials that fit some words, to be ticked, and how many more of them there are. */
function FoundMaterials({ site, isChosen, onTake, onLeave }: FoundProps) {
  const bridge = useBridge()
  const { t } = useTranslation(['exports', 'ui'])
  const [text, setText] = useState('')
  const { view, retry } = useRead(
    useCallback(() => {
      const sort = { by: text.trim() === '' ? 'saved' : 'relevance', direction: 'down' } as const
      return bridge.call('queryMaterials', { site, text, filters: savedOnly, sort, offset: 0, limit: foundAtMost })
    }, [bridge, site, text]),
  )
  return (
    <>
      <Search label={t('form.find')} hint={t('form.find')} text={text} onChange={setText} />
      {view.kind === 'loading' && <Skeleton rows={3} />}
      {view.kind === 'failed' && (
        <Banner tone="danger" text={t('form.findFailed')}>
          <Button onClick={retry}>{t('ui:retry')}</Button>
        </Banner>
      )}
      {view.kind === 'ready' && view.items.rows.length === 0 && (
        <p className={words.meta} role="status">
          {text.trim() === '' ? t('form.noneSaved') : t('form.noMatch', { text: text.trim() })}
        </p>
      )}
      {view.kind === 'ready' && view.items.rows.length > 0 && (
        // The check boxes have the focus; the list moves it between them.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <ul
          data-found
          className={styles.found}
          aria-label={t('form.found')}
          onKeyDown={(event) => walkFound(event) && event.preventDefault()}
        >
          {view.items.rows.map(({ materialId, title, status }) => (
            <li key={materialId} className={styles.chosen}>
              <Checkbox
                label={titleOf({ materialId, title })}
                isChecked={isChosen(materialId)}
                onChange={(isWanted) =>
                  isWanted ? onTake({ materialId, title, versionId: null }) : onLeave(materialId)
                }
              />
              {(status === 'approved' || status === 'changes_requested') && <VerdictStatus verdict={status} />}
            </li>
          ))}
        </ul>
      )}
      {view.kind === 'ready' && view.items.total > view.items.rows.length && (
        <p className={words.meta}>{t('form.foundMore', { shown: view.items.rows.length, all: view.items.total })}</p>
      )}
    </>
  )
}
