import { cdateMs } from '@galley/library/records'
import { FileArchive, FileCode } from 'lucide-react'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'

import { versionFileKinds } from '../../../ipc/version-files.ts'
import type { VersionInspection } from '../../../ipc/versions.ts'
import { useDragOut } from '../../domain/drag-out.ts'
import { useSaveVersion } from '../../domain/save-version.ts'
import { useWaitingText } from '../../domain/waiting-text.ts'
import { useFormats } from '../../i18n/formats.ts'
import { useRemarkText } from '../../i18n/remark-text.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { ForDevelopersContext } from '../../ui/for-developers.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { WaitingLine } from '../../ui/sign.tsx'
import { useChangeText } from './change-text.ts'
import type { VersionHandlers } from './version-handlers.ts'
import { VersionNotes } from './version-notes.tsx'
import styles from './versions.module.css'

interface Props {
  readonly inspection: VersionInspection
  readonly handlers: VersionHandlers
}

/** A version's origin, its notes, and the hashes that prove it. */
export function VersionSummary({ inspection, handlers }: Props) {
  const { t } = useTranslation('versions')
  const remarkText = useRemarkText()
  const { version, hashes } = inspection
  const waits = useWaitingText()(version)
  const isForDevelopers = useContext(ForDevelopersContext)
  return (
    <div className={styles.summary}>
      {version.warnings.length > 0 && (
        <section className={styles.warnings}>
          <h3>{t('warningsTitle')}</h3>
          <ul>
            {version.warnings.map((warning) => (
              <li key={`${warning.code} ${warning.name}`}>{remarkText(warning)}</li>
            ))}
          </ul>
        </section>
      )}
      {waits !== null && <WaitingLine text={waits} />}
      <Facts facts={useFacts(inspection, handlers)} />
      <VersionNotes version={version} handlers={handlers} />
      {isForDevelopers && (
        <section>
          <h3 className={styles.heading}>{t('hashes')}</h3>
          <Facts
            facts={(['html', 'state', 'archive', 'kept'] as const)
              .filter((part) => part !== 'kept' || hashes.kept !== hashes.archive)
              .map((part) => ({ name: t(`hash.${part}`), value: hashes[part], isCode: true }))}
          />
        </section>
      )}
    </div>
  )
}

const fileIcons = { html: FileCode, zip: FileArchive } as const

/** The page and the archive as they are stored: to drag to another program, or to save. */
function Files({ version }: Pick<VersionInspection, 'version'>) {
  const { t } = useTranslation('versions')
  const dragOut = useDragOut()
  const save = useSaveVersion()
  return (
    <div className={styles.files}>
      {versionFileKinds.map((kind) => (
        <Button
          key={kind}
          icon={fileIcons[kind]}
          draggable
          title={t('files.hint')}
          onDragStart={(event) => dragOut(version, kind, event)}
          onClick={() => void save({ ...version, from: null }, kind)}
        >
          {t(`files.${kind}`)}
        </Button>
      ))}
    </div>
  )
}

/** A date without an offset is in UTC, as everywhere; one that cannot be read is shown as the service sent it. */
function readableDate(sent: string): string {
  const ms = cdateMs(sent)
  return ms === null ? sent : new Date(ms).toISOString()
}

function useFacts(inspection: VersionInspection, handlers: VersionHandlers): readonly Fact[] {
  const { t } = useTranslation(['versions', 'review'])
  const formats = useFormats()
  const changeText = useChangeText()
  const { version, callbackId, exports, htmlBytes, stateBytes, archiveBytes } = inspection
  const { verdict, change } = version
  const { size, parts } = changeText(change)
  return [
    { name: t('facts.version'), value: version.versionId, isCode: true, isForDevelopers: true },
    { name: t('facts.number'), value: t('number', { number: version.number }) },
    { name: t('facts.received'), value: formats.exact(version.receivedAt) },
    {
      name: t('facts.dated'),
      value: version.versionCdate === null ? t('unknownDate') : formats.exact(readableDate(version.versionCdate)),
    },
    { name: t('facts.who'), value: version.userEmail ?? t('unknownWho') },
    { name: t('columns.change'), value: size === null ? parts : t('change.both', { size, parts }) },
    {
      name: t('facts.size'),
      value: t('sizes', {
        all: formats.size(version.sizeBytes),
        page: formats.size(htmlBytes),
        state: formats.size(stateBytes),
        archive: formats.size(archiveBytes),
      }),
    },
    { name: t('files.title'), value: <Files version={version} /> },
    ...(verdict === null
      ? []
      : [
          {
            name: t(`verdict.${verdict.decision}`),
            value: (
              <>
                <div>{formats.exact(verdict.at)}</div>
                {verdict.reason !== '' && <div className={styles.reason}>{verdict.reason}</div>}
                {verdict.decision === 'changes_requested' && (
                  <div className={styles.links}>
                    <LinkButton onClick={() => handlers.copyRejection(version)}>{t('review:copyForAuthor')}</LinkButton>
                    {version.userEmail !== null && (
                      <LinkButton onClick={() => handlers.mailAuthor(version)}>{t('review:mailAuthor')}</LinkButton>
                    )}
                  </div>
                )}
              </>
            ),
          },
        ]),
    {
      name: t('facts.callback'),
      value:
        callbackId === null ? (
          t('noCallback')
        ) : (
          <LinkButton onClick={() => handlers.showCallback(callbackId)}>{t('showCallback')}</LinkButton>
        ),
    },
    {
      name: t('facts.exports'),
      value:
        exports.length === 0
          ? t('neverExported')
          : exports.map(({ exportId, at, target }) => (
              <div key={exportId}>{t('exportedTo', { when: formats.dayAndMinute(at), target })}</div>
            )),
    },
  ]
}
