import type { SiteSummary } from '@galley/library/records'
import { isLoopback } from '@galley/library/records'
import { fail, ok } from '@galley/wire'
import type { Result } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import type { EmulatorState, KitReport, KitRun } from '../../../ipc/developer.ts'
import { kitBaseUrl } from '../../../ipc/developer.ts'
import { ProblemBanner } from '../../domain/means.tsx'
import { TaskProgressView } from '../../domain/task-progress.tsx'
import { useForm } from '../../stores/form.ts'
import type { FieldErrors } from '../../stores/form.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Fields } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import styles from './developer.module.css'
import { KitReportView } from './kit-report.tsx'
import { useDeveloper } from './store.ts'

interface Props {
  readonly site: SiteSummary
  readonly emulator: EmulatorState | null
  /** The titles of the kit's themes, which are English. */
  readonly themes: readonly string[]
  readonly report: KitReport | null
}

/** What is typed before a run. */
export interface KitDraft {
  readonly callbackUrl: string
  readonly apiKey: string
  readonly secret: string
  readonly auth: string
  readonly baseUrl: string
  readonly materials: string
  readonly themes: readonly string[]
}

type Addresses = Pick<SiteSummary, 'callbackUrl' | 'baseUrl' | 'downloadOrigins'>
type Place = Pick<EmulatorState, 'url'> | null

const parsed = (url: string): URL | null => (URL.canParse(url) ? new URL(url) : null)
const isHttp = (url: string): boolean => /^https?:$/.test(parsed(url)?.protocol ?? '')
const originsOf = ({ baseUrl, downloadOrigins }: Addresses) =>
  [baseUrl, ...downloadOrigins].map((url) => new URL(url).origin)

/** Whether the listener of this site is tested. */
const isOwn = ({ callbackUrl }: Pick<KitDraft, 'callbackUrl'>, site: Addresses): boolean =>
  callbackUrl.trim() === site.callbackUrl

/** An address on this computer from which the site downloads, and where no emulator is. */
export function baseUrlFor(site: Addresses, emulator: Place): string {
  const usable = [
    site.baseUrl,
    ...site.downloadOrigins.map((origin) => `${new URL(origin).origin}/integration`),
  ].filter((url) => isLoopback(new URL(url).hostname))
  return usable.find((url) => new URL(url).origin !== parsed(emulator?.url ?? '')?.origin) ?? usable[0] ?? kitBaseUrl
}

type Wrong = 'wrongUrl' | 'wrongMaterials' | 'needed' | 'noTheme' | 'emulatorThere' | 'foreign'

/** What to run, or which field is wrong and why. `all`: the titles of all themes. */
export function readKitRun(
  draft: KitDraft,
  { site, emulator, all }: { readonly site: Addresses; readonly emulator: Place; readonly all: readonly string[] },
  words: (wrong: Wrong, facts: { readonly origin: string }) => string,
): Result<Omit<KitRun, 'site'>, FieldErrors<KitDraft>> {
  const { apiKey, secret, auth, themes } = draft
  const [callbackUrl, baseUrl] = [draft.callbackUrl.trim(), draft.baseUrl.trim()]
  const materials = [...new Set(draft.materials.split('\n').map((id) => id.trim()))].filter((id) => id !== '')
  const own = isOwn(draft, site)
  const origin = parsed(baseUrl)?.origin ?? ''
  const wrong: readonly (readonly [keyof KitDraft, Wrong, boolean])[] = [
    ['callbackUrl', 'wrongUrl', !isHttp(callbackUrl)],
    ['apiKey', 'needed', !own && apiKey.trim() === ''],
    ['secret', 'needed', !own && secret === ''],
    ['baseUrl', 'foreign', own && !originsOf(site).includes(origin)],
    ['baseUrl', 'emulatorThere', origin === parsed(emulator?.url ?? '')?.origin],
    ['baseUrl', 'wrongUrl', !isHttp(baseUrl)],
    ['materials', 'wrongMaterials', materials.length === 0 || materials.length > 8],
    ['themes', 'noTheme', themes.length === 0],
  ]
  const errors = wrong.flatMap(([field, why, isWrong]) => (isWrong ? [[field, words(why, { origin })] as const] : []))
  if (errors.length > 0) return fail(Object.fromEntries(errors))
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(auth) ?? []
  return ok({
    backend: own
      ? null
      : { callbackUrl, apiKey: apiKey.trim(), secret, auth: user === '' ? null : { user, password: password ?? null } },
    baseUrl,
    materials,
    themes: themes.length === all.length ? null : [...themes],
  })
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
