import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Bridge } from '../../../contract/ipc/calls.ts'
import type { Diagnosis } from '../../../contract/ipc/callbacks.ts'
import type { Answer } from '../../../contract/ipc/problem.ts'
import { orProblem } from '../../bridge/answers.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import words from '../../ui/words.module.css'
import { Findings } from './findings.tsx'

interface Props {
  readonly bridge: Bridge
  readonly site: string
  /** Of the callback that is chosen, to begin with. */
  readonly start: { readonly materialId: string; readonly contentUrl: string }
  readonly onClose: () => void
}

const names = ['materialId', 'contentUrl', 'signature'] as const

/** The signature doctor for values that were copied from elsewhere, as from the log of a proxy. */
export function ValuesDialog({ bridge, site, start, onClose }: Props) {
  const { t } = useTranslation(['doctor', 'ui'])
  const problemText = useProblemText()
  const [values, setValues] = useState({ ...start, signature: '' })
  const [answer, setAnswer] = useState<Answer<Diagnosis> | null>(null)
  const check = async (): Promise<void> =>
    setAnswer(await orProblem(bridge.call('diagnoseValues', { site, ...values })))
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
          <Field key={name} label={t(name)}>
            {(control) => (
              <input
                {...control}
                value={values[name]}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => {
                  setValues({ ...values, [name]: event.target.value })
                  setAnswer(null)
                }}
              />
            )}
          </Field>
        ))}
        {answer?.ok === true && <Findings diagnosis={answer.value} />}
        {answer?.ok === false && <p role="alert">{problemText(answer.failure)}</p>}
      </DialogForm>
    </Dialog>
  )
}
