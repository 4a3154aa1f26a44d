import type { SnapshotDetail } from '@galley/library/records'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { useRemarkText } from '../../i18n/remark-text.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Lines } from '../../ui/lines.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import { Status } from '../../ui/status.tsx'
import { Titled } from '../../ui/titled.tsx'
import words from '../../ui/words.module.css'
import styles from './fonts.module.css'

interface CopiedAddressProps {
  readonly address: string
  readonly onCopy: (text: string) => void
}

/** A public URL with a copy button. */
function CopiedAddress({ address, onCopy }: CopiedAddressProps) {
  const { t } = useTranslation('fonts')
  return (
    <span className={styles.address}>
      <span className={words.code}>{address}</span>
      <Button look="quiet" icon={Copy} isIconOnly onClick={() => onCopy(address)}>
        {t('copy')}
      </Button>
    </span>
  )
}

interface Props {
  readonly snapshot: SnapshotDetail
  readonly onCopy: (text: string) => void
}

/** A font set's arrival time, public CSS, files and problems. */
export function Summary({ snapshot, onCopy }: Props) {
  const { t } = useTranslation('fonts')
  const formats = useFormats()
  const remarkText = useRemarkText()
  const missing = snapshot.faces.flatMap((face) => (face.files.some(({ stored }) => stored) ? [] : [face.family]))
  return (
    <PaneBody>
      <Facts
        facts={[
          { name: t('facts.snapshot'), value: snapshot.snapshotId, isCode: true, isForDevelopers: true },
          { name: t('facts.received'), value: formats.exact(snapshot.receivedAt) },
          { name: t('facts.size'), value: formats.size(snapshot.bytes) },
          {
            name: t('facts.css'),
            value: <CopiedAddress address={snapshot.cssUrl} onCopy={onCopy} />,
            isForDevelopers: true,
          },
          { name: t('facts.currentCss'), value: <CopiedAddress address={snapshot.currentCssUrl} onCopy={onCopy} /> },
          { name: t('facts.archive'), value: snapshot.archiveSha256, isCode: true, isForDevelopers: true },
        ]}
      />
      {(missing.length > 0 || snapshot.warnings.length > 0) && (
        <Titled title={t('toLookAt')}>
          <Lines label={t('toLookAt')}>
            {missing.length > 0 && (
              <li className={styles.absent}>{t('missingFaces', { families: formats.list([...new Set(missing)]) })}</li>
            )}
            {snapshot.warnings.map((warning) => (
              <li key={`${warning.code} ${warning.name}`}>{remarkText(warning)}</li>
            ))}
          </Lines>
        </Titled>
      )}
      <Titled title={t('files', { count: snapshot.fontFiles.length })}>
        <Lines label={t('filesLabel')}>
          {snapshot.fontFiles.map((file) => (
            <li key={file.name} className={styles.file}>
              <span className={words.code}>{file.name}</span>
              {!file.isNamed && <Status tone="neutral" word={t('unnamedFile')} />}
              <span className={`${words.meta} ${styles.apart}`}>{formats.size(file.sizeBytes)}</span>
            </li>
          ))}
        </Lines>
      </Titled>
    </PaneBody>
  )
}
