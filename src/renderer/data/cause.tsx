import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { readCause } from '../../contract/cause.ts'

/** Words the technical cause of a failure; what is no cause this Galley knows, as the name of a file, stays as it is. */
export function causeIn(sentence: string, t: TFunction<'causes'>): string {
  const read = readCause(sentence)
  return read === null ? sentence : t(read.code, { name: read.name, why: causeIn(read.why, t) })
}

/** The same in the language of the window; what stays as it is, is marked as English. */
export function useCauseText(): (fact: string) => ReactNode {
  const { t } = useTranslation('causes')
  return (fact) => {
    const text = causeIn(fact, t)
    return text === fact ? <span lang="en">{text}</span> : text
  }
}
