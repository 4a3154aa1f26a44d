import { useTranslation } from 'react-i18next'

import { ProblemLine } from '../../domain/means.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Group } from '../../ui/group.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import words from '../../ui/words.module.css'
import { RefusedMaterials } from './materials.tsx'
import { Pause } from './pauses.tsx'
import { RulesForm } from './rules-form.tsx'
import { useRules } from './store.ts'

interface Props {
  /** The site whose rules are shown, if any. */
  readonly siteName: string | null
}

/** Rules that block saves before anything is downloaded. */
export function RulesSection({ siteName }: Props) {
  const { t } = useTranslation('settings')
  const { site, view, problem, load, save, pause, resume, refuse } = useRules()
  if (site === null || siteName === null) return <p className={words.explanation}>{t('rules.noSite')}</p>
  if (view.kind === 'loading') return <Skeleton rows={5} />
  if (view.kind === 'failed') return <Failed text={t('failed')} onRetry={() => void load()} />
  const { site: rules, everywhere } = view.items
  return (
    <>
      <Group text={t('rules.text')}>
        {problem !== null && <ProblemLine problem={problem} role="alert" />}
        <Group title={t('rules.pause')}>
          <Pause
            scope={siteName}
            about={site}
            pause={rules.pause}
            onPause={(reason) => pause('site', reason)}
            onResume={() => void resume('site')}
          />
          <Pause
            scope={t('rules.everywhere')}
            about=""
            pause={everywhere}
            onPause={(reason) => pause('everywhere', reason)}
            onResume={() => void resume('everywhere')}
          />
        </Group>
      </Group>
      {/* Keyed, so that messages about one site never appear for another. */}
      <RulesForm key={site} title={t('rules.all', { site: siteName })} site={site} rules={rules} save={save} />
      <RefusedMaterials site={site} materials={rules.materials} refuse={refuse} />
    </>
  )
}
