import { Eye, PanelRight, PanelRightClose } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { useCommands } from '../../commands/commands.ts'
import { KeyedButton } from '../../commands/keyed-button.tsx'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { usePreviews } from './store.ts'

/** Opens a preview of the site in the browser, as it would be published. */
export function PreviewButton() {
  const { t } = useTranslation('publish')
  const run = useCommands((state) => state.run)
  return (
    <KeyedButton icon={Eye} command="publish.preview" onClick={() => void run('publish.preview')}>
      {t('preview')}
    </KeyedButton>
  )
}

/** Shows the preview beside the form, or hides it. */
export function BesideButton() {
  const { t } = useTranslation('publish')
  const run = useCommands((state) => state.run)
  const isBeside = usePreviews((state) => state.isBeside)
  return (
    <KeyedButton
      icon={isBeside ? PanelRightClose : PanelRight}
      isIconOnly
      command="publish.previewBeside"
      onClick={() => void run('publish.previewBeside')}
    >
      {t(isBeside ? 'beside.close' : 'beside.show')}
    </KeyedButton>
  )
}

/** Says that a preview runs and follows what is saved, or why it shows an earlier state. */
export function PreviewNotice() {
  const { t } = useTranslation('publish')
  const problemText = useProblemText()
  const { preview, isBeside, stop } = usePreviews()
  // Beside a form it speaks for itself, unless it shows an earlier state.
  if (preview === null || (isBeside && preview.problem === null)) return null
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
