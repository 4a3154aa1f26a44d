import type { Health } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { keychainTones } from '../../domain/keychain-tones.ts'
import { useUpdates, useUpdateText } from '../../domain/updates.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Findings } from './findings.tsx'
import { Line } from './line.tsx'
import type { LineProps } from './line.tsx'

/** Whether the keychain can be read. */
export function KeychainLine({ health: { keychain }, state: { load } }: LineProps) {
  const { t } = useTranslation('health')
  return (
    <Line
      name={t('keychain.name')}
      means="health:keychain"
      tone={keychainTones[keychain]}
      word={t(`keychain.${keychain}`)}
      text={t(`keychain.${keychain}Text`)}
      actions={
        <Button look={keychainTones[keychain] === 'success' ? 'plain' : 'primary'} onClick={() => void load()}>
          {t('keychain.test')}
        </Button>
      }
    />
  )
}

/** The runtime and its effect on security. */
export function RuntimeLine({ health: { runtime }, handlers }: Pick<LineProps, 'health' | 'handlers'>) {
  const { t } = useTranslation(['health', 'help'])
  const { electron, chromium, node, isDevelopment, isUnsupported } = runtime
  const major = (version: string): string => version.replace(/\..*$/, '')
  return (
    <Line
      name={t('runtime.name')}
      means="health:runtime"
      tone={isUnsupported ? 'warning' : isDevelopment ? 'neutral' : 'success'}
      word={t(isUnsupported ? 'runtime.ended' : isDevelopment ? 'runtime.development' : 'runtime.packaged')}
      text={t('runtime.text', { electron, chromium: major(chromium), node })}
      notes={[
        ...(isUnsupported ? [t('runtime.endedText', { line: major(electron) })] : []),
        ...(isDevelopment ? [t('runtime.developmentText')] : []),
      ]}
      actions={
        <>
          <Button onClick={handlers.toLog}>{t('help:commands.log')}</Button>
          <Button onClick={handlers.copyDiagnostics}>{t('help:commands.diagnostics')}</Button>
        </>
      }
    />
  )
}

/** Whether this is the newest version. */
export function UpdateLine({ nowMs, handlers }: Pick<LineProps, 'nowMs' | 'handlers'>) {
  const { t } = useTranslation('updates')
  const state = useUpdates((updates) => updates.state)
  const text = useUpdateText(nowMs)
  if (state === null) return null
  const { off, problem, offer, checkedAt } = state
  const word =
    problem !== null
      ? 'failed'
      : offer !== null
        ? 'newer'
        : off !== null
          ? 'off'
          : checkedAt === null
            ? 'never'
            : 'newest'
  return (
    <Line
      name={t('title')}
      means="health:updates"
      tone={word === 'failed' ? 'warning' : word === 'newest' ? 'success' : 'neutral'}
      word={t(`words.${word}`)}
      text={text(state)}
      actions={<Button onClick={handlers.toUpdates}>{t('title')}</Button>}
    />
  )
}

/** How much space the library's disk has left. */
export const spaceLeft = ({ isLow, freeBytes }: Health['disk']): 'fine' | 'low' | 'full' =>
  isLow ? (freeBytes === 0 ? 'full' : 'low') : 'fine'

/** Free disk space and unused files. */
export function DiskLine({ health: { disk, library, opening }, state, handlers }: LineProps) {
  const { collected, jobs, collect } = state
  const { t } = useTranslation('health')
  const formats = useFormats()
  const figures = {
    free: formats.size(disk.freeBytes),
    total: formats.size(disk.totalBytes),
    library: formats.size(library.filesBytes + library.indexBytes),
  }
  const left = spaceLeft(disk)
  // If the disk is full, deleting unused files reopens the read-only library; in other states nothing can be deleted.
  const canDelete = opening.state === 'whole' || (opening.state === 'read_only' && disk.isLow)
  const unused = collected?.isDryRun === true ? collected.files : 0
  const setAsideCount = collected?.isDryRun === true ? collected.setAside.files : 0
  const cleanupNotes = (): string[] => {
    if (collected === null) return []
    const { files, bytes, setAside, isDryRun } = collected
    const note = (key: 'unused' | 'cleaned' | 'strange' | 'moved', found: { files: number; bytes: number }) =>
      found.files === 0 ? [] : [t(`disk.${key}`, { count: found.files, size: formats.size(found.bytes) })]
    const notes = [
      ...note(isDryRun ? 'unused' : 'cleaned', { files, bytes }),
      ...note(isDryRun ? 'strange' : 'moved', setAside),
    ]
    return notes.length === 0 ? [t('disk.nothingUnused')] : notes
  }
  return (
    <Line
      name={t('disk.name')}
      means="health:disk"
      tone={disk.isLow || library.syncedBy !== null ? 'warning' : 'success'}
      word={t(left === 'fine' && library.syncedBy !== null ? 'disk.synced' : `disk.${left}`)}
      text={t(left === 'fine' ? 'disk.text' : `disk.${left}Text`, figures)}
      notes={[
        ...(library.syncedBy === null ? [] : [t('disk.syncedText', { program: library.syncedBy })]),
        ...cleanupNotes(),
      ]}
      job={jobs.collect}
      actions={
        <>
          {disk.isLow && canDelete && <Button onClick={handlers.toLibrarySettings}>{t('disk.oldVersions')}</Button>}
          {!canDelete ? null : unused > 0 ? (
            <Button look="danger" onClick={() => void collect(false)}>
              {t('disk.cleanNow', { count: unused })}
            </Button>
          ) : setAsideCount > 0 ? (
            <Button onClick={() => void collect(false)}>{t('disk.moveNow', { count: setAsideCount })}</Button>
          ) : (
            <Button onClick={() => void collect(true)}>{t('disk.clean')}</Button>
          )}
          {library.syncedBy !== null && (
            <Button look="primary" onClick={handlers.toLibrarySettings}>
              {t('disk.move')}
            </Button>
          )}
        </>
      }
    />
  )
}

interface SkippedProps extends Pick<LineProps, 'health'> {
  readonly onForget: () => void
}

/** Entries of the log that every computer skips; hidden once a person has seen them here. */
export function SkippedLine({ health: { skippedEntries, team }, onForget }: SkippedProps) {
  const { t } = useTranslation('health')
  if (skippedEntries === null) return null
  const { count, first } = skippedEntries
  return (
    <Line
      name={t('skipped.name')}
      means="health:skipped"
      tone="warning"
      word={t('skipped.word')}
      text={t('skipped.text', { count, first })}
      notes={[t(team === null ? 'skipped.folder' : 'skipped.team')]}
      actions={<Button onClick={onForget}>{t('skipped.forget')}</Button>}
    />
  )
}

/** The result of the last library check. */
export function CheckLine({
  health: { lastCheck, opening },
  state: { report, jobs, check, askRestore },
  nowMs,
}: LineProps) {
  const { t } = useTranslation('health')
  const formats = useFormats()
  const isBad = lastCheck !== null && lastCheck.problems > 0
  const interrupted = report?.interrupted ?? []
  const text = (): string => {
    if (lastCheck === null) return t('check.neverText')
    const when = formats.relative(lastCheck.at, nowMs)
    if (isBad) return t(lastCheck.isRepair ? 'check.leftText' : 'check.badText', { when, count: lastCheck.problems })
    return t('check.fineText', { when, files: formats.count(lastCheck.files), bytes: formats.size(lastCheck.bytes) })
  }
  return (
    <Line
      name={t('check.name')}
      means="health:check"
      tone={lastCheck === null ? 'neutral' : isBad ? 'danger' : 'success'}
      word={t(lastCheck === null ? 'check.never' : isBad ? 'check.bad' : 'check.fine')}
      text={text()}
      moment={lastCheck?.at}
      notes={interrupted.length > 0 ? [t('check.interrupted', { count: interrupted.length })] : []}
      job={jobs.libraryCheck}
      actions={
        <>
          <KeyedButton command="health.check" onClick={() => void check(false)}>
            {t('check.start')}
          </KeyedButton>
          {isBad && opening.state === 'whole' && !opening.isRebuildRequested && (
            <Button look="primary" onClick={() => (lastCheck.isRepair ? askRestore() : void check(true))}>
              {t(lastCheck.isRepair ? 'backup.restore' : 'check.repair')}
            </Button>
          )}
        </>
      }
    >
      {report !== null && report.findings.length > 0 && <Findings findings={report.findings} />}
    </Line>
  )
}
