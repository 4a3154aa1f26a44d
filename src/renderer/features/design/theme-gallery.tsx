import type { ThemeProblem } from '@galley/library/records'
import { fileOfTheme } from '@galley/library/records'
import { textIn } from '@galley/sites/bundle'
import type { Result } from '@galley/wire'
import { FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import type { ThemeView } from '../../../ipc/themes.ts'
import { fileNameIn } from '../../domain/file-name.ts'
import { ProblemBanner } from '../../domain/means.tsx'
import { useCauseText } from '../../i18n/cause-text.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import words from '../../ui/words.module.css'
import styles from './design.module.css'
import { useDesign } from './store.ts'

interface Props {
  readonly themes: readonly ThemeView[]
  /** The theme of the site. */
  readonly chosen: string
}

/** All themes with their pictures; a click selects one for the site. */
export function ThemeGallery({ themes, chosen }: Props) {
  const { t } = useTranslation('design')
  const { chooseFolder, chooseTheme } = useDesign()
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const run = async (action: Promise<Result<unknown, CallProblem>>): Promise<void> => {
    const done = await action
    setProblem(done.ok ? null : done.failure)
  }
  return (
    <Group text={t('theme.text')}>
      {problem !== null && <ProblemBanner problem={problem} />}
      <ul className={styles.gallery}>
        {themes.map((theme) => (
          <ThemeCard
            key={theme.theme}
            theme={theme}
            isChosen={theme.theme === chosen}
            onUse={() => void run(chooseTheme(theme.theme))}
          />
        ))}
      </ul>
      <Bar>
        <Button icon={FolderOpen} onClick={() => void run(chooseFolder())}>
          {t('theme.choose')}
        </Button>
        <span className={words.meta}>{t('theme.chooseHint')}</span>
      </Bar>
    </Group>
  )
}

interface CardProps {
  readonly theme: ThemeView
  readonly isChosen: boolean
  readonly onUse: () => void
}

function ThemeCard({ theme, isChosen, onUse }: CardProps) {
  const { t, i18n } = useTranslation('design')
  const isStored = fileOfTheme(theme.theme) !== null
  const nameless = isStored ? t('theme.own') : fileNameIn(theme.theme)
  const name = theme.label === null ? nameless : textIn(theme.label, i18n.language)
  return (
    <li className={styles.card} aria-label={name} data-chosen={isChosen || undefined}>
      <span className={styles.picture}>
        {theme.picture === null ? (
          <span className={words.meta}>{t('theme.noPicture')}</span>
        ) : (
          <img alt={t('theme.picture', { name })} src={theme.picture} />
        )}
      </span>
      <div className={styles.about}>
        <div className={styles.name}>
          <p>{name}</p>
          <p className={words.meta} title={theme.isOwn && !isStored ? theme.theme : undefined}>
            {isStored ? t('theme.stored') : theme.isOwn ? theme.theme : t('theme.shipped')}
          </p>
        </div>
        {isChosen ? (
          <Badge word={t('theme.used')} tone="accent" />
        ) : theme.problem === null ? (
          <Button aria-label={t('theme.useNamed', { name })} onClick={onUse}>
            {t('theme.use')}
          </Button>
        ) : null}
      </div>
      {theme.problem !== null && <Problem problem={theme.problem} />}
    </li>
  )
}

/** The first error of a theme: its place, and what is wrong there. */
function Problem({ problem: { file, line, problem } }: { readonly problem: ThemeProblem }) {
  const { t } = useTranslation('design')
  const causeText = useCauseText()
  return (
    <div role="alert" className={styles.problem}>
      <p>{line === null ? t('theme.wrongFile', { file }) : t('theme.wrongLine', { file, line })}</p>
      <p className={words.code}>{causeText(problem)}</p>
    </div>
  )
}
