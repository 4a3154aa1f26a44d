import { versionMoment } from '@galley/library/records'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { PaneName, Review, ShownPage } from '../../ipc/review-window.ts'
import { KeyedButton } from '../commands/keyed-button.tsx'
import { useFormats } from '../i18n/formats.ts'
import { Button } from '../ui/button.tsx'
import { useNow } from '../ui/now.ts'
import type { ReviewBridge } from './bridge.ts'
import styles from './pane-head.module.css'
import { choicesOf } from './state.ts'
import type { PageView } from './state.ts'
import { useReview } from './store.ts'
import { RejectForm, VerdictButtons, VerdictGiven } from './verdict.tsx'
import { VersionPicker } from './version-picker.tsx'

interface Props {
  readonly bridge: ReviewBridge
  readonly review: Review
  readonly pane: PaneName
  /** Its index in the list of versions. */
  readonly shown: number
}

/** The header of a page: its version, the picker, the verdict buttons, and the current verdict. */
export function PaneHead({ bridge, review, pane, shown }: Props) {
  const { t } = useTranslation('review')
  const state = useReview()
  const { at, against, isRejecting, activate, choose, pages } = state
  const { versions } = review
  const version = versions[shown]
  const choices = choicesOf(state, pane, versions.length)
  if (version === undefined) return null
  const isActive = shown === at
  const step = (steps: 1 | -1): void => choose(pane, shown + steps)
  const keyedHere = isActive
    ? ({ older: 'review.older', newer: 'review.newer' } as const)
    : { older: null, newer: null }
  return (
    // Focus anywhere in the header activates its version.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={styles.pane}
      aria-label={version.versionId}
      aria-current={against !== null && isActive}
      onFocus={() => activate(pane)}
    >
      <div className={styles.choice}>
        <div className={styles.walk}>
          <KeyedButton
            look="quiet"
            icon={ChevronLeft}
            isIconOnly
            command={keyedHere.older}
            aria-disabled={shown >= choices.last}
            onClick={() => step(1)}
          >
            {t('older')}
          </KeyedButton>
          <VersionPicker
            label={t('version')}
            versions={versions}
            {...choices}
            chosen={shown}
            onChoose={(place) => choose(pane, place)}
          />
          <KeyedButton
            look="quiet"
            icon={ChevronRight}
            isIconOnly
            command={keyedHere.newer}
            aria-disabled={shown <= choices.first}
            onClick={() => step(-1)}
          >
            {t('newer')}
          </KeyedButton>
        </div>
        <VerdictButtons version={version} pane={pane} isActive={isActive} />
        <Button
          look="quiet"
          className={styles.enter ?? ''}
          aria-keyshortcuts="F6"
          onClick={() => void bridge.call('focusPage', { pane })}
        >
          {t('enterPage')}
        </Button>
      </div>
      <Facts version={version} />
      {isActive && isRejecting && <RejectForm />}
      <VerdictGiven key={version.versionId} bridge={bridge} review={review} pane={pane} version={version} />
      <Notices page={pages[pane]} onHealth={() => void bridge.call('showHealth', undefined)} />
    </section>
  )
}

function Facts({ version }: { readonly version: Review['versions'][number] }) {
  const { t } = useTranslation('review')
  const formats = useFormats()
  const nowMs = useNow()
  const moment = versionMoment(version)
  return (
    <div className={styles.facts}>
      <code className={styles.id} title={version.versionId}>
        {version.versionId}
      </code>
      {version.current && <strong className={styles.current}>{t('current')}</strong>}
      <time dateTime={moment} title={formats.exact(moment)}>
        {formats.relative(moment, nowMs)}
      </time>
      <span className={styles.who}>{version.userEmail ?? t('unknownWho')}</span>
      <span>{formats.size(version.sizeBytes)}</span>
      <span>{t('media', { count: version.mediaCount })}</span>
    </div>
  )
}

/** Warnings about missing parts of the page. */
function Notices({ page, onHealth }: { readonly page: PageView; readonly onHealth: () => void }) {
  const { t } = useTranslation('review')
  if (page.kind !== 'shown') return null
  return (
    <>
      {!page.hasImages && (
        <p className={styles.notice} role="status">
          {t('withoutImages')}
        </p>
      )}
      <NotShown {...page} />
      {page.lost.length > 0 && (
        <div className={styles.notice} role="status" title={page.lost.join('\n')}>
          <p>{t('lost', { count: page.lost.length })}</p>
          <Button look="quiet" onClick={onHealth}>
            {t('openHealth')}
          </Button>
        </div>
      )}
    </>
  )
}

/** The number of files that are named in the line itself. */
const namedInLine = 2

/** Names what is on the page and not shown, and says when scripts are off: one line, with all names behind it. */
function NotShown({ unshown, hasScripts }: ShownPage) {
  const { t } = useTranslation('review')
  const formats = useFormats()
  const count = unshown.reduce((sum, group) => sum + group.count, 0)
  if (count === 0)
    return hasScripts ? (
      <p className={`${styles.notice} ${styles.calm}`} role="status">
        {t('scriptsOff')}
      </p>
    ) : null
  const named = unshown
    .flatMap(({ names }) => names)
    .slice(0, namedInLine)
    .map(shortName)
  const more = count - named.length
  const files = formats.list(more === 0 ? named : [...named, t('unshownMore', { count: more })])
  const isBroken = unshown.some(({ why }) => why === 'missing')
  return (
    <div className={isBroken ? styles.unshown : `${styles.unshown} ${styles.calm}`} role="status">
      <details>
        <summary>
          {t('unshown', { count, files })}
          {hasScripts && ` ${t('scriptsOff')}`}
        </summary>
        <dl>
          {unshown.map(({ why, count: ofThese, names }) => (
            <div key={why}>
              <dt>{t(`unshownWhy.${why}`)}</dt>
              {names.map((name) => (
                <dd key={name}>{name}</dd>
              ))}
              {ofThese > names.length && <dd>{t('unshownMore', { count: ofThese - names.length })}</dd>}
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}

/** The file name of an address, or its host if it has none. */
function shortName(name: string): string {
  const [path = ''] = name.split(/[?#]/, 1)
  const parts = path.split('/').filter((part) => part !== '')
  return parts.at(-1) ?? name
}
