import type { MaterialId } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { FormDialog } from '../../domain/form-dialog.tsx'
import { textOrNull } from '../../domain/typed-text.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useOnline } from '../../ui/online.ts'
import { TextField } from '../../ui/text-field.tsx'
import { useMaterials } from './store.ts'

/** Opens a material not yet in the library, by id and title. `named`: the id to begin with. */
export function NewMaterial({ named }: { readonly named: string }) {
  const { t } = useTranslation('materials')
  const problemText = useProblemText()
  const { open, opening, previewNew, setDialog } = useMaterials()
  const isOnline = useOnline()
  const close = (): void => setDialog({ kind: 'none' })
  const [materialId, setMaterialId] = useState(named)
  const [title, setTitle] = useState('')
  const isOwn = opening.kind === 'failed' && opening.materialId === materialId.trim()
  const problem = isOwn ? opening.problem : null
  const isAtField = problem?.field === 'materialId' || problem?.field === 'title'
  const isReady = materialId.trim() !== ''
  const isOpening = opening.kind === 'opening'
  const go = async (on: (materialId: MaterialId, title: string | null) => Promise<void>): Promise<void> => {
    if (isReady && !isOpening) await on(materialId.trim(), textOrNull(title))
  }
  return (
    <FormDialog
      title={t('form.title')}
      submit={isOpening ? t('opening') : t('form.submit')}
      isReady={isReady}
      form={{
        problem: isAtField ? null : problem,
        isSaving: isOpening,
        isChanged: false,
        submit: () => go(open),
      }}
      status={
        <Button look="quiet" aria-disabled={!isReady || isOpening} onClick={() => void go(previewNew)}>
          {t('form.metadata')}
        </Button>
      }
      onClose={close}
    >
      {!isOnline && <Banner tone="warning" text={t('offline')} />}
      <p>{t('form.text')}</p>
      <TextField
        label={t('form.id')}
        hint={t('form.idHint')}
        error={problem?.field === 'materialId' ? problemText(problem) : undefined}
        value={materialId}
        onChange={setMaterialId}
      />
      <TextField
        label={t('form.name')}
        error={problem?.field === 'title' ? problemText(problem) : undefined}
        isProse
        value={title}
        onChange={setTitle}
      />
    </FormDialog>
  )
}
