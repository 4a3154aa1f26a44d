import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Cause } from '../../contract/cause.ts'

/** Words the technical cause of a failure. */
export function causeIn({ code, name, why }: Cause, t: TFunction<'causes'>): string {
  return t(code, { name: name ?? '', why: typeof why === 'object' ? causeIn(why, t) : (why ?? '') })
}

/** Words the cause of a failure; without a code it is text from the service or an older Galley, shown as is. */
export function useCauseText(): (fact: Cause | string | number | boolean) => ReactNode {
  const { t } = useTranslation('causes')
  return (fact) => (typeof fact === 'object' ? causeIn(fact, t) : <span lang="en">{String(fact)}</span>)
}
