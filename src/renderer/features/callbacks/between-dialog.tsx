import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import type { When } from './question.ts'

interface Props {
  readonly when: When
  readonly onChoose: (when: When) => void
  readonly onClose: () => void
}

/** Two minutes between which callbacks came; either may be left open. */
export function BetweenDialog({ when, onChoose, onClose }: Props) {
  const { t } = useTranslation(['callbacks', 'ui'])
  const { locale } = useFormats()
  const [ends, setEnds] = useState(when.kind === 'between' ? when : { from: '', to: '' })
  const { from, to } = ends
  // Both are of the form 2026-11-21T10:00, whose order is that of time.
  const isBackwards = from !== '' && to !== '' && to < from
  const choose = (): void => {
    if (isBackwards) return
    onChoose(from === '' && to === '' ? { kind: 'any' } : { kind: 'between', from, to })
    onClose()
  }
  return (
    <Dialog title={t('when.title')} onClose={onClose}>
      <DialogForm
        onSubmit={choose}
        actions={
          <>
            <Button onClick={onClose}>{t('ui:cancel')}</Button>
            <Button look="primary" type="submit">
              {t('when.show')}
            </Button>
          </>
        }
      >
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
                // Chromium draws the field once, in the language it has then.
                key={locale}
                type="datetime-local"
                // Not that of the document: English alone would have the month first and twelve hours.
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
