import { Eye } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { useCommands } from '../../commands/commands.ts'
import { KeyedButton } from '../../commands/keyed-button.tsx'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { usePreviews } from './store.ts'

/** Opens the site in the browser as it would be published. */
export function PreviewButton() {
  const { t } = useTranslation('publish')
  const run = useCommands((state) => state.run)
  return (
    <KeyedButton icon={Eye} command="publish.preview" onClick={() => void run('publish.preview')}>
      {t('preview')}
    </KeyedButton>
  )
}

/** Says that a preview runs and follows what is saved, or why it shows an earlier state. */
export function PreviewNotice() {
  const { t } = useTranslation('publish')
  const problemText = useProblemText()
  const { preview, stop } = usePreviews()
  if (preview === null) return null
  const { url, problem } = preview
  const text = problem === null ? t('previewing.shown', { url }) : `${t('previewing.broken')} ${problemText(problem)}`
  return (
    <Banner tone={problem === null ? 'info' : 'danger'} text={text}>
      <Button look="quiet" onClick={() => void stop()}>
        {t('previewing.stop')}
      </Button>
    </Banner>
  )
}
