import type { Result } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import type { PublishingChanges } from '../../../ipc/pages.ts'
import { useForm } from '../../stores/form.ts'
import type { FieldErrors, Form } from '../../stores/form.ts'
import { useDesign } from './store.ts'

/** A form for a part of the design; no field shows a problem of saving it. */
export function useDesignForm<Draft extends object>(
  part: string,
  kept: Draft,
  read: (draft: Draft) => Result<PublishingChanges, FieldErrors<Draft>>,
): Form<Draft> {
  const { t } = useTranslation('design')
  const { site, save } = useDesign()
  return useForm({ about: `design ${part} ${site}`, kept, saved: t('saved'), read, save, fieldOf: () => null })
}
