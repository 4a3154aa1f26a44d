import type { CallbackRecord } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { Status } from '../../ui/status.tsx'
import type { Tone } from '../../ui/status.tsx'

const tones: Readonly<Record<CallbackRecord['signature'], Tone>> = {
  valid: 'success',
  invalid: 'danger',
  missing: 'warning',
  unchecked: 'neutral',
}

/** The signature check's result as a dot with a label. */
export function SignatureStatus({ signature }: Pick<CallbackRecord, 'signature'>) {
  const { t } = useTranslation('callbacks')
  return <Status tone={tones[signature]} word={t(`signatures.${signature}`)} />
}
