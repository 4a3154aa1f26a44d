import { fieldMax } from '@galley/library/records'
import type { SavePause, SiteRules } from '@galley/library/records'
import { ok } from '@galley/wire'
import type { SiteId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { ProblemLine } from '../../domain/means.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { useForm } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { Entry } from '../../ui/entry.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { RulesForm } from './rules-form.tsx'
import styles from './rules.module.css'
import { useRules } from './store.ts'
import type { RulesState } from './store.ts'

interface Props {
  /** The site whose rules are shown, if any. */
  readonly siteName: string | null
}

interface RefusedMaterialsProps extends Pick<RulesState, 'refuse'> {
  readonly site: SiteId
  readonly materials: SiteRules['materials']
}

/** Materials whose saves are blocked individually. */
function RefusedMaterials({ site, materials, refuse }: RefusedMaterialsProps) {
  const { t } = useTranslation('settings')
  const formats = useFormats()
  const { draft, bind, submit } = useForm({
    about: `refusal ${site}`,
    kept: { materialId: '', reason: '' },
    isWhole: true,
    read: (draft) => ok(draft),
    save: ({ materialId, reason }) => refuse(materialId.trim(), reason),
  })
  return (
    <Group title={t('rules.materials')} text={materials.length === 0 ? t('rules.noMaterials') : undefined}>
      {materials.length > 0 && (
        <ul>
          {materials.map(({ materialId, reason, since }) => (
            <Entry key={materialId}>
              <div>
                <p>{materialId}</p>
                {reason !== '' && <p className={words.meta}>{reason}</p>}
              </div>
              <span className={words.meta}>{formats.dayAndMinute(since)}</span>
              <Button
                aria-label={t('rules.acceptNamed', { material: materialId })}
                onClick={() => void refuse(materialId, null)}
              >
                {t('rules.accept')}
              </Button>
            </Entry>
          ))}
        </ul>
      )}
      <form
        noValidate
        className={styles.row}
        onSubmit={(event) => {
          event.preventDefault()
          if (draft.materialId.trim() !== '') void submit()
        }}
      >
        <TextField label={t('rules.materialId')} {...bind('materialId')} />
        <TextField label={t('rules.reason')} maxLength={fieldMax.refusalReason} {...bind('reason')} />
        <Button type="submit">{t('rules.refuse')}</Button>
      </form>
    </Group>
  )
}

interface PauseProps {
  /** The scope's name: a site, or all sites. */
  readonly scope: string
  readonly pause: SavePause | null
  /** The draft key: a site id, or empty for all sites. */
  readonly about: string
  /** Resolves to whether saves were paused. */
  readonly onPause: (reason: string) => Promise<boolean>
  readonly onResume: () => void
}

/** Pauses and resumes saves of a site or of all, with a reason. */
function Pause({ scope, pause, about, onPause, onResume }: PauseProps) {
  const { t } = useTranslation('settings')
  const formats = useFormats()
  const { bind, submit } = useForm({
    about: `pause ${about}`,
    kept: { reason: '' },
    read: (draft) => ok(draft),
    save: ({ reason }) => onPause(reason),
  })
  const statusText = (): string => {
    if (pause === null) return t('rules.notPaused')
    const when = formats.dayAndMinute(pause.since)
    return pause.reason === '' ? t('rules.paused', { when }) : t('rules.pausedBecause', { when, reason: pause.reason })
  }
  return (
    <form
      aria-label={scope}
      noValidate
      className={styles.pause}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h4>{scope}</h4>
      <div role="status">
        <Status tone={pause === null ? 'success' : 'warning'} word={statusText()} />
      </div>
      {pause === null ? (
        <div className={styles.row}>
          <TextField label={t('rules.reason')} isProse maxLength={fieldMax.refusalReason} {...bind('reason')} />
          <Button type="submit">{t('rules.pauseNow')}</Button>
        </div>
      ) : (
        <Bar>
          <Button look="primary" onClick={onResume}>
            {t('rules.resume')}
          </Button>
        </Bar>
      )}
    </form>
  )
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
