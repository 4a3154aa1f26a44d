import type { Answer, Diagnosis } from '@galley/library/records'
import type { MaterialId, SiteId } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { createStoreContext } from '../../context/provided.ts'
import { ProblemLine } from '../../domain/means.tsx'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { useCallbackDetail } from './detail-store.ts'
import { Findings } from './findings.tsx'

interface Props {
  readonly site: SiteId
  /** Initial values from the selected callback. */
  readonly start: { readonly materialId: MaterialId; readonly contentUrl: string }
  readonly onClose: () => void
}

export interface DoctorState {
  readonly isOpen: boolean
  open(): void
  close(): void
}

export const createDoctor = (): StoreApi<DoctorState> =>
  createStore<DoctorState>()((set) => ({
    isOpen: false,
    open: () => set({ isOpen: true }),
    close: () => set({ isOpen: false }),
  }))

const [useDoctor, provideDoctor] = createStoreContext<DoctorState>('doctor')
export { provideDoctor }

/** The doctor dialog; starts with the values of the selected callback. */
export function Doctor() {
  const { view } = useCallbackDetail()
  const { isOpen, close } = useDoctor()
  const site = useNavigation(currentSite)
  const chosen = view.kind === 'ready' && view.items.siteExists ? view.items.callback : null
  const { materialId, contentUrl } = chosen ?? { materialId: null, contentUrl: null }
  if (!isOpen || site === null) return null
  return (
    <ValuesDialog
      site={chosen?.site ?? site}
      start={{ materialId: materialId ?? '', contentUrl: contentUrl ?? '' }}
      onClose={close}
    />
  )
}

const names = ['materialId', 'contentUrl', 'signature'] as const

/** The signature doctor for values pasted from elsewhere, such as a proxy log. */
function ValuesDialog({ site, start, onClose }: Props) {
  const bridge = useBridge()
  const { t } = useTranslation(['doctor', 'ui'])
  const [values, setValues] = useState({ ...start, signature: '' })
  const [answer, setAnswer] = useState<Answer<Diagnosis> | null>(null)
  const check = async (): Promise<void> =>
    setAnswer(await catchUnexpected(bridge.call('diagnoseValues', { site, ...values })))
  return (
    <Dialog title={t('title')} size="large" onClose={onClose}>
      <DialogForm
        onSubmit={() => void check()}
        actions={
          <>
            <Button onClick={onClose}>{t('ui:close')}</Button>
            <Button look="primary" type="submit">
              {t('check')}
            </Button>
          </>
        }
      >
        <p className={words.meta}>{t('intro')}</p>
        {names.map((name) => (
          <TextField
            key={name}
            label={t(name)}
            value={values[name]}
            onChange={(value) => {
              setValues({ ...values, [name]: value })
              setAnswer(null)
            }}
          />
        ))}
        {answer?.ok === true && <Findings diagnosis={answer.value} />}
        {answer?.ok === false && <ProblemLine problem={answer.failure} role="alert" />}
      </DialogForm>
    </Dialog>
  )
}
