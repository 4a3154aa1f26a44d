import { useTranslation } from 'react-i18next'

import { Button } from '../ui/button.tsx'
import { Source } from '../ui/source.tsx'
import { Titled } from '../ui/titled.tsx'
import words from '../ui/words.module.css'
import { useCopy } from './copy-text.ts'
import styles from './reach-help.module.css'
import { reachRecipes } from './reach-recipes.ts'
import type { ReachFacts } from './reach-recipes.ts'

const ways = ['proxy', 'tunnel', 'server'] as const

/** Ways for a service on the internet to reach the listener, with commands to copy. */
export function ReachHelp(facts: ReachFacts) {
  const { t } = useTranslation(['sites', 'ui'])
  const copy = useCopy()
  const recipes = reachRecipes(facts)
  return (
    <details className={styles.reach}>
      <summary>{t('reach.title')}</summary>
      <p className={words.explanation}>{t('reach.text', { url: recipes.callbackUrl })}</p>
      {ways.map((way) => (
        <Titled key={way} title={t(`reach.${way}.title`)}>
          <p className={words.explanation}>{t(`reach.${way}.text`)}</p>
          <div className={styles.commands}>
            <Source label={t(`reach.${way}.title`)} text={recipes[way]} />
            <Button aria-label={t('reach.copy', { what: t(`reach.${way}.title`) })} onClick={() => copy(recipes[way])}>
              {t('ui:copy')}
            </Button>
          </div>
        </Titled>
      ))}
    </details>
  )
}
