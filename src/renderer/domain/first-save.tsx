import type { CallbackRow, SiteSummary } from '@galley/library/records'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '../ui/button.tsx'
import { Fields } from '../ui/field.tsx'
import { Bar } from '../ui/group.tsx'
import { Status } from '../ui/status.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useFirstSave } from './first-save-store.ts'
import styles from './first-save.module.css'
import { ProblemLine } from './means.tsx'
import { textOrNull } from './typed-text.ts'

interface Props {
  readonly site: SiteSummary
  /** Shows what arrived. */
  readonly onShow: (row: CallbackRow) => void
  /** Further buttons after it. */
  readonly children?: ReactNode
}

/** Opens a material that the person names, and waits for its first save. */
export function FirstSave({ site, onShow, children }: Props) {
  const { t } = useTranslation(['sites', 'materials'])
  const { watch, open, opened, arrived } = useFirstSave()
  useEffect(() => watch(site.id), [watch, site.id])
  const [materialId, setMaterialId] = useState('')
  const [title, setTitle] = useState('')
  const isOpening = opened.kind === 'opening'
  const isReady = materialId.trim() !== '' && !isOpening
  return (
    <form
      noValidate
      className={styles.firstSave}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) void open(materialId.trim(), textOrNull(title))
      }}
    >
      <Fields>
        <TextField
          label={t('materials:form.id')}
          hint={t('firstSave.idHint')}
          isRequired
          value={materialId}
          onChange={setMaterialId}
        />
        <TextField label={t('materials:form.name')} isProse value={title} onChange={setTitle} />
      </Fields>
      <Bar>
        <Button look={opened.kind === 'opened' ? 'plain' : 'primary'} type="submit" aria-disabled={!isReady}>
          {isOpening ? t('materials:opening') : t('materials:open')}
        </Button>
        {arrived !== null && (
          <Button look={opened.kind === 'opened' ? 'primary' : 'plain'} onClick={() => onShow(arrived)}>
            {t(arrived.outcome === 'stored' ? 'firstSave.showPage' : 'firstSave.showCallback')}
          </Button>
        )}
        {children}
      </Bar>
      <Progress arrived={arrived} />
    </form>
  )
}

/** What is proved so far; always rendered, so that it is announced. */
function Progress({ arrived }: { readonly arrived: CallbackRow | null }) {
  const { t } = useTranslation(['sites', 'materials', 'callbacks'])
  const { opened } = useFirstSave()
  return (
    <div role="status" className={styles.progress}>
      {opened.kind === 'failed' && <ProblemLine problem={opened.problem} />}
      {opened.kind === 'opened' && <Status tone="success" word={t('firstSave.accepted')} />}
      {opened.kind === 'opened' && opened.editor.browser !== 'shown' && (
        <Status tone="warning" word={t(`materials:notShown.${opened.editor.browser}`, { url: opened.editor.url })} />
      )}
      {arrived !== null ? (
        <Status
          tone={arrived.outcome === 'stored' ? 'success' : 'danger'}
          word={
            arrived.outcome === 'stored'
              ? t('firstSave.stored', { title: arrived.materialTitle ?? arrived.materialId ?? '' })
              : t('firstSave.notStored', { outcome: t(`callbacks:outcomes.${arrived.outcome}`) })
          }
        />
      ) : (
        opened.kind === 'opened' && <Status tone="busy" word={t('firstSave.waiting')} />
      )}
    </div>
  )
}
