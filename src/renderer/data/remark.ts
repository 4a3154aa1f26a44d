import { useTranslation } from 'react-i18next'

import { readRemark } from '../../contract/remark.ts'

/** Words a remark that is stored as an English sentence; one that this Galley does not know stays as it is. */
export function useRemarkText(): (sentence: string) => string {
  const { t } = useTranslation('remarks')
  return (sentence) => {
    const read = readRemark(sentence)
    return read === null ? sentence : t(read.code, { name: read.name })
  }
}
