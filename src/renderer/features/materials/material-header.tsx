import type { FailedSave, MaterialRow } from '@galley/library/records'
import { ExternalLink, X } from 'lucide-react'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { useReason } from '../../domain/callback-reason.ts'
import { Means, ProblemBanner } from '../../domain/means.tsx'
import { useWaitingText } from '../../domain/waiting-text.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ForDevelopersContext } from '../../ui/for-developers.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { useNow } from '../../ui/now.ts'
import { WaitingLine } from '../../ui/sign.tsx'
import styles from './material-header.module.css'
import type { MaterialHandlers } from './material-menu.ts'
import { isSavedSinceArchived, MaterialState, RollbackLeft, Tags } from './material-parts.tsx'
import { rollbackOf } from './rollback.ts'
import { useMaterials } from './store.ts'
import type { MaterialsState } from './store.ts'

interface Props {
  readonly material: MaterialRow
  readonly menu: readonly MenuItem[]
  readonly handlers: Pick<MaterialHandlers, 'showCallback' | 'dismissFailure'>
}

/** A material's name and state, how long its editor history is kept, and the button that opens the editor. */
export function MaterialHeader({ material, menu, handlers }: Props) {
  const { t } = useTranslation('materials')
  const nowMs = useNow()
  const { edit, opening, dialog } = useMaterials()
  const { session, failedSave } = material
  const waits = useWaitingText()(material)
  const isForDevelopers = useContext(ForDevelopersContext)
  return (
    <>
      <div className={styles.header}>
        <div className={styles.what}>
          {isForDevelopers && (
            <p className={styles.id} title={material.materialId}>
              {material.materialId}
            </p>
          )}
          <div className={styles.line}>
            <MaterialState {...material} />
            <Means code={`status:${material.status}`} />
            {session !== null && (
              <span>
                {rollbackOf(session, nowMs).kind === 'over' ? (
                  t('rollback.gone')
                ) : (
                  <>
                    {t('rollback.kept')} <RollbackLeft session={session} nowMs={nowMs} />
                  </>
                )}
              </span>
            )}
            {material.tags.length > 0 && <Tags tags={material.tags} />}
          </div>
          {waits !== null && <WaitingLine text={waits} />}
        </div>
        <div className={styles.actions}>
          <KeyedButton
            look="primary"
            icon={ExternalLink}
            command="material.openEditor"
            onClick={() => void edit(material.materialId)}
          >
            {opening.kind === 'opening' && opening.materialId === material.materialId ? t('opening') : t('open')}
          </KeyedButton>
          <MoreMenu items={menu} />
        </div>
      </div>
      {failedSave !== null && <FailedSaveNotice failed={failedSave} {...handlers} />}
      {material.archivedAt !== null && (
        <Banner tone="info" text={t(isSavedSinceArchived(material) ? 'inArchiveSaved' : 'inArchive')} />
      )}
      {dialog.kind === 'none' && opening.kind !== 'idle' && opening.materialId === material.materialId && (
        <OpeningNotice opening={opening} />
      )}
    </>
  )
}

interface FailedProps extends Pick<MaterialHandlers, 'showCallback' | 'dismissFailure'> {
  readonly failed: FailedSave
}

/** When and why the last save failed, and what to do; the button above opens the editor. */
function FailedSaveNotice({ failed: { callback, at, code, facts }, showCallback, dismissFailure }: FailedProps) {
  const { t } = useTranslation(['materials', 'ui'])
  const formats = useFormats()
  const { why, fix } = useReason()(code, facts)
  return (
    <Banner tone="danger" text={t('failedSave', { when: formats.dayAndMinute(at), why, fix })}>
      <Button onClick={() => showCallback(callback)}>{t('failedSavesShow')}</Button>
      <Button onClick={() => dismissFailure(callback)}>{t('ui:dismiss')}</Button>
      <Means code={`callback:${code}`} />
    </Banner>
  )
}

function OpeningNotice({ opening }: Pick<MaterialsState, 'opening'>) {
  const { t } = useTranslation(['materials', 'ui'])
  const dismiss = useMaterials((state) => state.dismiss)
  if (opening.kind === 'idle' || opening.kind === 'opening') return null
  const close = (
    <Button look="quiet" icon={X} isIconOnly onClick={dismiss}>
      {t('ui:dismiss')}
    </Button>
  )
  if (opening.kind === 'failed') {
    return <ProblemBanner problem={opening.problem}>{close}</ProblemBanner>
  }
  return (
    <Banner
      tone={opening.browser === 'shown' ? 'info' : 'warning'}
      text={opening.browser === 'shown' ? t('opened') : t(`notShown.${opening.browser}`, { url: opening.url })}
    >
      {close}
    </Banner>
  )
}
