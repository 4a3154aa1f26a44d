import type { CallProblem } from '@galley/library/records'
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useProblemText } from '../i18n/problem-text.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import type { Explained } from '../ui/means-context.ts'
import words from '../ui/words.module.css'
import { GuideDialog } from './guide-dialog.tsx'
import { codeOf } from './guide.ts'
import styles from './means.module.css'

interface Props {
  /** A failure code, or a state such as `outcome:stored`. */
  readonly code: string
  /** A button with words instead of an icon. */
  readonly hasWords?: boolean
}

/** Shows what the guide says about a state or failure. */
export function Means({ code, hasWords = false }: Props) {
  const { t } = useTranslation('help')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        look="quiet"
        icon={CircleHelp}
        isIconOnly={!hasWords}
        className={hasWords ? undefined : styles.icon}
        onClick={() => setOpen(true)}
      >
        {t('means')}
      </Button>
      {isOpen && <Meaning code={code} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The guide at the paragraph about a state or failure. */
export function Meaning({ code, onClose }: { readonly code: string; readonly onClose: () => void }) {
  const { t } = useTranslation('ui')
  return <GuideDialog code={code} actions={<Button onClick={onClose}>{t('close')}</Button>} onClose={onClose} />
}

/** `MeansContext` of a window. */
export const meansOf = (problem: Explained): ReactNode => <Means code={codeOf(problem)} />

/** A problem in words, with what the guide says about it. */
export function ProblemBanner({ problem, children }: { readonly problem: CallProblem; readonly children?: ReactNode }) {
  const problemText = useProblemText()
  return (
    <Banner tone="danger" text={problemText(problem)}>
      {children}
      <Means code={codeOf(problem)} hasWords />
    </Banner>
  )
}

/** A problem as a line of its own, announced at once where nothing around it is. */
export function ProblemLine({ problem, role }: { readonly problem: CallProblem; readonly role?: 'alert' }) {
  const problemText = useProblemText()
  return (
    <p role={role} className={words.problem}>
      {problemText(problem)} <Means code={codeOf(problem)} />
    </p>
  )
}

interface FailedReadProps {
  readonly problem: CallProblem | null
  /** Said when the cause is not known. */
  readonly text?: string
  readonly onRetry: () => void
}

/** Shown in place of what could not be read: why, what the guide says about it, and a retry button. */
export function FailedRead({ problem, text = '', onRetry }: FailedReadProps) {
  const problemText = useProblemText()
  return (
    <Failed text={problem === null ? text : problemText(problem)} onRetry={onRetry}>
      {problem !== null && <Means code={codeOf(problem)} hasWords />}
    </Failed>
  )
}
