import type { Cause } from '@galley/wire'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Words the technical cause of a failure. */
export function causeIn({ code, name, why }: Cause, t: TFunction<'causes'>): string {
  return t(code, { name: name ?? '', why: typeof why === 'object' ? causeIn(why, t) : (why ?? '') })
}

/** Words the cause of a failure. Text from the service, the template engine or an older Galley is shown as is. */
export function useCauseText(): (fact: Cause | string | number | boolean) => ReactNode {
  const { t } = useTranslation('causes')
  return (fact) => {
    if (typeof fact === 'object' && fact.code !== 'theme_engine') return causeIn(fact, t)
    return <span lang="en">{typeof fact === 'object' ? fact.name : String(fact)}</span>
  }
}
