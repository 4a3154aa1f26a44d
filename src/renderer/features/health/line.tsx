import type { Health } from '@galley/library/records'
import type { CallbackId, SiteId } from '@galley/wire'
import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { HealthCode } from '../../domain/guide.ts'
import { Means, ProblemLine } from '../../domain/means.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Status } from '../../ui/status.tsx'
import type { Tone } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import styles from './health.module.css'
import type { HealthState, Job } from './store.ts'

/** Links to where the problem of a line can be fixed. */
export interface HealthHandlers {
  readonly toListenerSettings: () => void
  readonly toLibrarySettings: () => void
  /** Lists the failed saves of a site. */
  readonly toFailedSavesOf: (site: SiteId) => void
  readonly toMessagesOf: (site: SiteId) => void
  readonly checkSignature: (site: SiteId, callbackId: CallbackId) => void
  readonly dismissUnsigned: (site: SiteId) => void
  /** Asks in a system dialog whether the addresses of this site may be used. */
  readonly confirmSite: (site: SiteId) => void
  readonly enterSecret: (site: SiteId) => void
  readonly toLog: () => void
  readonly toUpdates: () => void
  readonly copyDiagnostics: () => void
  readonly editSite: () => void
}

/** Shared props of all lines. */
export interface LineProps {
  readonly health: Health
  readonly state: HealthState
  readonly nowMs: number
  readonly handlers: HealthHandlers
}

interface Props {
  readonly name: string
  readonly tone: Tone
  readonly word: string
  readonly text: string
  /** The time that the text gives relatively, in ISO 8601; its tooltip shows it exactly. */
  readonly moment?: string | undefined
  readonly notes?: readonly string[]
  /** The subject in the guide that explains this line. Its link is shown while the line reports a problem. */
  readonly means?: HealthCode
  readonly job?: Job | undefined
  readonly actions: ReactNode
  readonly children?: ReactNode
}

/** Whether lines that need nobody are shown too. */
export const ShowsAllContext = createContext(true)

const quiet: ReadonlySet<Tone> = new Set(['success', 'neutral'])

/** One health line: name, state, what it means, and its fix. */
export function Line({ name, tone, word, text, moment, notes, means, job, actions, children }: Props) {
  const formats = useFormats()
  const showsAll = useContext(ShowsAllContext)
  if (!showsAll && quiet.has(tone) && job === undefined) return null
  return (
    <li className={styles.line} aria-label={name}>
      <div className={styles.state}>
        <h2 className={styles.name}>{name}</h2>
        <div className={styles.word}>
          <Status tone={tone} word={word} />
          {means !== undefined && !quiet.has(tone) && tone !== 'busy' && <Means code={means} />}
        </div>
      </div>
      <div className={styles.words}>
        <p title={moment === undefined ? undefined : formats.exact(moment)}>{text}</p>
        {notes?.map((note) => (
          <p key={note} className={words.meta}>
            {note}
          </p>
        ))}
        {job !== undefined && <JobText job={job} />}
        {children}
      </div>
      <div className={styles.actions}>{actions}</div>
    </li>
  )
}

function JobText({ job }: { readonly job: Job }) {
  const { t } = useTranslation(['health', 'tasks', 'ui'])
  const formats = useFormats()
  if (job.kind === 'failed') {
    return <ProblemLine problem={job.problem} role="alert" />
  }
  const { progress, cancel } = job
  const statusText = (): string => {
    if (progress === null) return t('tasks:starting')
    const { step, done, total } = progress
    const word = t(`tasks:steps.${step}`)
    return total === null || total === 0 ? word : t('progress', { step: word, share: formats.percent(done / total) })
  }
  return (
    <div className={styles.job}>
      <Status tone="busy" word={statusText()} />
      <Button look="quiet" onClick={cancel}>
        {t('ui:cancel')}
      </Button>
    </div>
  )
}
