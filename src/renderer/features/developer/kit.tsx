import type { SiteSummary } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import type { EmulatorState, KitReport } from '../../../ipc/developer.ts'
import { ProblemBanner } from '../../domain/means.tsx'
import { TaskProgressView } from '../../domain/task-progress.tsx'
import { useForm } from '../../stores/form.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Fields } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import styles from './developer.module.css'
import type { KitDraft } from './kit-form.ts'
import { baseUrlFor, isOwn, readKitRun } from './kit-form.ts'
import { KitReportView } from './kit-report.tsx'
import { useDeveloper } from './store.ts'

interface Props {
  readonly site: SiteSummary
  readonly emulator: EmulatorState | null
  /** The titles of the kit's themes, which are English. */
  readonly themes: readonly string[]
  readonly report: KitReport | null
}

/** The conformance kit: what to test, how far it is, and what it found. */
export function KitForm({ site, emulator, themes, report }: Props) {
  const { t } = useTranslation('developer')
  const { run, runProblem, runKit, cancel } = useDeveloper()
  const form = useForm<KitDraft, Parameters<typeof runKit>[0]>({
    about: `kit ${site.id}`,
    kept: {
      callbackUrl: site.callbackUrl,
      apiKey: '',
      secret: '',
      auth: '',
      baseUrl: baseUrlFor(site, emulator),
      materials: 'conformance',
      themes,
    },
    read: (draft) => readKitRun(draft, { site, emulator, all: themes }, (wrong, facts) => t(`kit.${wrong}`, facts)),
    // What was typed stays, for the next run.
    save: async (value) => {
      await runKit(value)
      return false
    },
  })
  const { draft, edit, bind, isRefused } = form
  return (
    <>
      <FormGroup
        title={t('kit.title')}
        text={t('kit.text')}
        submit={t('kit.run')}
        form={{ ...form, outcome: () => (isRefused ? t('kit.refused') : '') }}
        more={run !== null && <Button onClick={cancel}>{t('kit.cancel')}</Button>}
      >
        <Banner tone="warning" text={t('kit.warning')} />
        <Fields>
          <TextField
            label={t('kit.callbackUrl')}
            hint={isOwn(draft, site) ? t('kit.own') : undefined}
            type="url"
            {...bind('callbackUrl')}
          />
          <TextField label={t('kit.baseUrl')} hint={t('kit.baseUrlHint')} type="url" {...bind('baseUrl')} />
        </Fields>
        {!isOwn(draft, site) && (
          <Fields>
            <TextField label={t('kit.apiKey')} {...bind('apiKey')} />
            <TextField label={t('kit.secret')} type="password" {...bind('secret')} />
            <TextField label={t('kit.auth')} hint={t('kit.authHint')} type="password" {...bind('auth')} />
          </Fields>
        )}
        <TextArea label={t('kit.materials')} hint={t('kit.materialsHint')} {...bind('materials')} />
        <fieldset className={styles.themes}>
          <legend>{t('kit.themes')}</legend>
          <div className={styles.all}>
            <Checkbox
              label={t('kit.all')}
              isChecked={draft.themes.length === themes.length || (draft.themes.length > 0 && 'some')}
              onChange={(isChecked) => edit({ themes: isChecked ? themes : [] })}
            />
          </div>
          {themes.map((title) => (
            <span key={title} lang="en">
              <Checkbox
                label={title}
                isChecked={draft.themes.includes(title)}
                onChange={(isChecked) =>
                  edit({ themes: themes.filter((each) => (each === title ? isChecked : draft.themes.includes(each))) })
                }
              />
            </span>
          ))}
        </fieldset>
        <p role="alert" className={words.problem}>
          {form.errorAt('themes')}
        </p>
      </FormGroup>
      {run !== null && <TaskProgressView {...run} note={t('kit.note')} />}
      {runProblem !== null && <ProblemBanner problem={runProblem} />}
      {report !== null && <KitReportView report={report} />}
    </>
  )
}
