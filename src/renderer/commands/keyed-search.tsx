import { useTranslation } from 'react-i18next'

import { Search } from '../ui/search.tsx'
import { useShownKeys } from './shown-keys.ts'

interface Props {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
}

/** The search field of a list, with the shortcut that focuses it. */
export function KeyedSearch({ label, text, onChange }: Props) {
  const { t } = useTranslation('ui')
  const keys = useShownKeys()('find.here')
  return (
    <Search
      label={label}
      hint={keys === undefined ? label : t('searchHint', { keys })}
      text={text}
      onChange={onChange}
    />
  )
}
