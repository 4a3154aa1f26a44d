import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import words from '../../ui/words.module.css'
import styles from './fonts.module.css'

interface Props {
  readonly address: string
  readonly onCopy: (text: string) => void
}

/** A public URL with a copy button. */
export function CopiedAddress({ address, onCopy }: Props) {
  const { t } = useTranslation('fonts')
  return (
    <span className={styles.address}>
      <span className={words.code}>{address}</span>
      <Button look="quiet" icon={Copy} isIconOnly onClick={() => onCopy(address)}>
        {t('copy')}
      </Button>
    </span>
  )
}
