import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { CancelAndSubmit, Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import type { When } from './question.ts'

interface Props {
  readonly when: When
  readonly onChoose: (when: When) => void
  readonly onClose: () => void
}

/** Chooses a time range to the minute; either end may stay open. */
export function BetweenDialog({ when, onChoose, onClose }: Props) {
  const { t } = useTranslation('callbacks')
  const { locale } = useFormats()
  const [ends, setEnds] = useState(when.kind === 'between' ? when : { from: '', to: '' })
  const { from, to } = ends
  // `datetime-local` values such as 2026-11-21T10:00 sort chronologically.
  const isBackwards = from !== '' && to !== '' && to < from
  const choose = (): void => {
    if (isBackwards) return
    onChoose(from === '' && to === '' ? { kind: 'any' } : { kind: 'between', from, to })
    onClose()
  }
  return (
    <Dialog title={t('when.title')} onClose={onClose}>
      <DialogForm onSubmit={choose} actions={<CancelAndSubmit onCancel={onClose} submit={t('when.show')} />}>
        {(['from', 'to'] as const).map((end) => (
          <Field
            key={end}
            label={t(`when.${end}`)}
            hint={t(`when.${end}Hint`)}
            error={end === 'to' && isBackwards ? t('when.backwards') : undefined}
          >
            {(control) => (
              <input
                {...control}
                // Chromium applies `lang` only on the first render.
                key={locale}
                type="datetime-local"
                // Not the document's language: plain English would put the month first and use a 12-hour clock.
                lang={locale}
                value={ends[end]}
                onChange={(event) => setEnds({ ...ends, [end]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </DialogForm>
    </Dialog>
  )
}
