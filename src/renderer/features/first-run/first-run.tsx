import { Check, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useCommands } from '../../commands/commands.ts'
import { useFirstSave } from '../../domain/first-save-store.ts'
import { FirstSave } from '../../domain/first-save.tsx'
import { keychainTones } from '../../domain/keychain-tones.ts'
import { ProblemBanner, ProblemLine } from '../../domain/means.tsx'
import { Button } from '../../ui/button.tsx'
import { Status } from '../../ui/status.tsx'
import styles from './first-run.module.css'
import { LibraryStep } from './library-step.tsx'
import { ListenerStep } from './listener-step.tsx'
import { Outcome } from './outcome.tsx'
import type { FirstRunProps } from './props.ts'
import { SiteStep } from './site-step.tsx'
import { steps, useFirstRun } from './store.ts'
import type { Step } from './store.ts'

/** Opens the first material and waits for its save. */
function SessionStep({ site, onAddSite, onShowSave }: FirstRunProps) {
  const { t } = useTranslation('start')
  const leave = useFirstRun((state) => state.leave)
  if (site === null) {
    return (
      <>
        <p>{t('session.needsSite')}</p>
        <Button look="primary" onClick={onAddSite}>
          {t('site.add')}
        </Button>
      </>
    )
  }
  return (
    <FirstSave
      site={site}
      onShow={(row) => {
        leave()
        onShowSave(row)
      }}
    />
  )
}

/** Writes, reads and deletes a throwaway secret, and shows the result. */
function KeychainStep() {
  const { t } = useTranslation('start')
  const { keychain, testKeychain } = useFirstRun()
  const isTesting = keychain.kind === 'testing'
  return (
    <>
      <Outcome>
        {keychain.kind === 'done' && (
          <Status tone={keychainTones[keychain.value]} word={t(`keychain.${keychain.value}`)} />
        )}
        {keychain.kind === 'failed' && <ProblemLine problem={keychain.problem} />}
      </Outcome>
      <Button aria-disabled={isTesting} onClick={() => void testKeychain()}>
        {isTesting ? t('keychain.testing') : t('keychain.test')}
      </Button>
    </>
  )
}

/** First-run setup: five steps, each with a test, and a way to skip all. */
export function FirstRun(props: FirstRunProps) {
  const { t } = useTranslation('start')
  const { step, goTo, next, leave } = useFirstRun()
  const done = useDone(props)
  const at = steps.indexOf(step)
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <h1 className={styles.title}>{t('title')}</h1>
        <p className={styles.intro}>{t('intro')}</p>
        <ol className={styles.steps} aria-label={t('progress', { step: at + 1, total: steps.length })}>
          {steps.map((name, place) => (
            <li key={name}>
              <button
                type="button"
                className={styles.step}
                aria-current={name === step ? 'step' : undefined}
                onClick={() => goTo(name)}
              >
                <span className={styles.number} aria-hidden>
                  {done[name] && place < at ? <Check size={12} /> : place + 1}
                </span>
                {t(`steps.${name}`)}
              </button>
            </li>
          ))}
        </ol>
        <section className={styles.panel} aria-labelledby="first-run-step">
          <h2 id="first-run-step" className={styles.heading}>
            {t(`${step}.title`)}
          </h2>
          <p className={styles.text}>{t(`${step}.text`)}</p>
          <div className={styles.content}>{contentOf(step, props)}</div>
        </section>
        <div className={styles.actions}>
          <Button look="quiet" isFlush onClick={leave}>
            {t('leave')}
          </Button>
          <span className={styles.space} />
          {step === 'session' ? (
            <Button look={done.session ? 'primary' : 'plain'} onClick={next}>
              {t('finish')}
            </Button>
          ) : (
            <Button look={done[step] ? 'primary' : 'plain'} onClick={next}>
              {done[step] ? t('next') : t('skip')}
            </Button>
          )}
        </div>
        <TryIt />
      </div>
    </div>
  )
}

/** The steps that succeeded; skipped ones did not. */
function useDone({ site, listener }: FirstRunProps): Readonly<Record<Step, boolean>> {
  const { keychain, library } = useFirstRun()
  const arrived = useFirstSave((state) => state.arrived)
  return {
    keychain: keychain.kind === 'done' && (keychain.value === 'usable' || keychain.value === 'environment'),
    library: library.kind === 'done',
    site: site !== null,
    listener: listener?.kind === 'listening' || listener?.kind === 'elsewhere',
    session: arrived?.outcome === 'stored',
  }
}

function contentOf(step: Step, props: FirstRunProps): ReactNode {
  switch (step) {
    case 'keychain':
      return <KeychainStep />
    case 'library':
      return <LibraryStep />
    case 'site':
      return <SiteStep {...props} />
    case 'listener':
      return <ListenerStep {...props} />
    case 'session':
      return <SessionStep {...props} />
  }
}

/** One-click demo: the built-in emulator with sample materials. */
function TryIt() {
  const { t } = useTranslation('start')
  const tryIt = useFirstRun((state) => state.tryIt)
  return (
    <aside className={styles.tryIt}>
      <div className={styles.tryItWords}>
        <h2 className={styles.tryItTitle}>{t('tryIt.title')}</h2>
        <p className={styles.text}>{t('tryIt.text')}</p>
        {tryIt.kind === 'failed' && <ProblemBanner problem={tryIt.problem} />}
      </div>
      <TryItButton />
    </aside>
  )
}

/** Starts the demo; also offered after setup while there is no site. */
export function TryItButton({ isAgain = false }: { readonly isAgain?: boolean }) {
  const { t } = useTranslation('start')
  const { tryIt, startTryIt } = useFirstRun()
  const { run } = useCommands()
  return (
    <Button
      icon={Play}
      aria-disabled={tryIt.kind === 'testing'}
      onClick={() => void (isAgain ? run('site.sample') : startTryIt())}
    >
      {tryIt.kind === 'testing' ? t('tryIt.starting') : t(isAgain ? 'tryIt.again' : 'tryIt.start')}
    </Button>
  )
}
