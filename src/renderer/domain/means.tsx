import type { CallProblem } from '@galley/library/records'
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useProblemText } from '../i18n/problem-text.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { GuideDialog } from './guide-dialog.tsx'

interface Props {
  /** A failure code, or a state such as `outcome:stored`. */
  readonly code: string
  /** A button with words instead of an icon. */
  readonly hasWords?: boolean
}

/** Shows what the guide says about a state or failure. */
export function Means({ code, hasWords = false }: Props) {
  const { t } = useTranslation(['help', 'ui'])
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" icon={CircleHelp} isIconOnly={!hasWords} onClick={() => setOpen(true)}>
        {t('means')}
      </Button>
      {isOpen && (
        <GuideDialog
          code={code}
          actions={<Button onClick={() => setOpen(false)}>{t('ui:close')}</Button>}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** A problem in words, with what the guide says about it. */
export function ProblemBanner({ problem, children }: { readonly problem: CallProblem; readonly children?: ReactNode }) {
  const problemText = useProblemText()
  return (
    <Banner tone="danger" text={problemText(problem)}>
      {children}
      <Means code={[problem.code, problem.state].filter((part) => part !== undefined).join('_')} hasWords />
    </Banner>
  )
}
