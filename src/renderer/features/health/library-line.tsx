import type { LibraryOpening, OpeningFact } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import type { Tone } from '../../ui/status.tsx'
import { Line } from './line.tsx'
import type { LineProps } from './line.tsx'

const tones = {
  logShort: 'danger',
  logDiffers: 'danger',
  readOnly: 'danger',
  restartNeeded: 'warning',
  incomplete: 'warning',
  settingsLost: 'warning',
  ready: 'success',
} as const satisfies Record<string, Tone>

/** Whether the library can store saves, and what happened when it was opened. */
export function LibraryLine({ health: { library, opening }, state: { openFolder, rebuild, restart } }: LineProps) {
  const { t } = useTranslation('health')
  const openingState = openingStateOf(opening)
  const isMismatch = opening.state === 'log_mismatch'
  const noted = (fact: OpeningFact): readonly string[] => {
    if (fact.kind === 'local_lost') return []
    if (fact.kind === 'unapplied') return [t('library.lost', { count: fact.entries })]
    if (fact.kind === 'cut_off')
      return [t(fact.isCopy ? 'library.copyCutOff' : 'library.cutOff', { count: fact.entries })]
    if (fact.kind === 'copy_renewed')
      return [
        t('library.copyRenewed'),
        ...(fact.setAside === null ? [] : [t('library.copyAside', { name: fact.setAside })]),
      ]
    const { cause, setAside, logSetAside, lostEntries } = fact
    return [
      t(`library.causes.${cause}`),
      ...(setAside === null ? [] : [t('library.setAside', { name: setAside })]),
      ...(logSetAside === null ? [] : [t('library.logSetAside', { name: logSetAside })]),
      ...(lostEntries === 0 ? [] : [t('library.lost', { count: lostEntries })]),
    ]
  }
  const figures = {
    materials: t('library.materials', { count: library.materials }),
    versions: t('library.versions', { count: library.versions }),
  }
  return (
    <Line
      name={t('library.name')}
      means="health:library"
      tone={tones[openingState]}
      word={t(`library.words.${openingState}`)}
      text={t(`library.texts.${openingState}`, figures)}
      notes={[
        ...(isMismatch ? [t('library.mismatchMeans'), t('library.mismatchAdvice')] : []),
        ...(openingState === 'readOnly' ? [t('library.readOnlyMeans')] : []),
        ...opening.facts.flatMap(noted),
        library.folder,
      ]}
      actions={
        <>
          <Button onClick={() => void openFolder()}>{t('library.openFolder')}</Button>
          {isMismatch && (
            <>
              <Button onClick={() => void rebuild('log')}>{t('library.keepLog')}</Button>
              <Button onClick={() => void rebuild('index')}>{t('library.keepIndex')}</Button>
            </>
          )}
          {(openingState === 'readOnly' || openingState === 'restartNeeded') && (
            <Button look="primary" onClick={() => void restart()}>
              {t('library.restart')}
            </Button>
          )}
        </>
      }
    />
  )
}

/** The most important state to show. */
function openingStateOf({ state, isLogShort, facts, isRebuildRequested }: LibraryOpening): keyof typeof tones {
  if (state === 'log_mismatch' && !isRebuildRequested) return isLogShort ? 'logShort' : 'logDiffers'
  if (state === 'read_only') return 'readOnly'
  if (isRebuildRequested) return 'restartNeeded'
  if (facts.some(isLoss)) return 'incomplete'
  return facts.some(({ kind }) => kind === 'local_lost') ? 'settingsLost' : 'ready'
}

const isLoss = (fact: OpeningFact): boolean =>
  fact.kind === 'unapplied' ||
  (fact.kind === 'cut_off' && !fact.isCopy) ||
  (fact.kind === 'rebuilt' && fact.lostEntries > 0)
