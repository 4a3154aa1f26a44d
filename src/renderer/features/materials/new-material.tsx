import type { MaterialId } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { textOrNull } from '../../domain/typed-text.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { useOnline } from '../../ui/online.ts'
import { TextField } from '../../ui/text-field.tsx'
import { useMaterials } from './store.ts'

/** Opens a material not yet in the library, by id and title. `named`: the id to begin with. */
export function NewMaterial({ named }: { readonly named: string }) {
  const { t } = useTranslation(['materials', 'ui'])
  const problemText = useProblemText()
  const { open, opening, previewNew, setDialog } = useMaterials()
  const isOnline = useOnline()
  const close = (): void => setDialog({ kind: 'none' })
  const [materialId, setMaterialId] = useState(named)
  const [title, setTitle] = useState('')
  const isOwn = opening.kind === 'failed' && opening.materialId === materialId.trim()
  const problem = isOwn ? opening.problem : null
  const isAtField = problem?.field === 'materialId' || problem?.field === 'title'
  const isReady = materialId.trim() !== '' && opening.kind !== 'opening'
  const go = (on: (materialId: MaterialId, title: string | null) => Promise<void>): void => {
    if (isReady) void on(materialId.trim(), textOrNull(title))
  }
  return (
    <Dialog title={t('form.title')} onClose={close}>
      {problem !== null && !isAtField && <Banner tone="danger" text={problemText(problem)} />}
      <DialogForm
        onSubmit={() => go(open)}
        actions={
          <>
            <Button look="quiet" aria-disabled={!isReady} onClick={() => go(previewNew)}>
              {t('form.metadata')}
            </Button>
            <Button onClick={close}>{t('ui:cancel')}</Button>
            <Button look="primary" type="submit" aria-disabled={!isReady}>
              {opening.kind === 'opening' ? t('opening') : t('form.submit')}
            </Button>
          </>
        }
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
      </DialogForm>
    </Dialog>
  )
}
