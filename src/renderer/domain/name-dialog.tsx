import { fail, ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useForm } from '../stores/form.ts'
import { TextField } from '../ui/text-field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { usePersonName } from './person-name.ts'

/** Asks for the name of the person at this computer, while something waits for it. */
export function NameDialog() {
  return usePersonName((state) => state.isAsked) ? <Asked /> : null
}

function Asked() {
  const { t } = useTranslation(['desk', 'settings'])
  const { give, refuse } = usePersonName()
  const form = useForm({
    kept: { name: '' },
    read: ({ name }) => (name.trim() === '' ? fail({ name: t('name.empty') }) : ok(name)),
    save: give,
  })
  return (
    <FormDialog title={t('name.title')} submit={t('name.submit')} form={form} onClose={refuse}>
      <p>{t('name.text')}</p>
      <TextField label={t('settings:appearance.personName')} isRequired maxLength={200} {...form.bind('name')} />
    </FormDialog>
  )
}
