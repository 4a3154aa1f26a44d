import type { ExportContents, ExportRow } from '@galley/library/records'
import { FolderOpen, RotateCw } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { BrokenReferences } from '../../domain/findings.tsx'
import { LeftOutList } from '../../domain/left-out.tsx'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Failed } from '../../ui/failed.tsx'
import { ForDevelopers } from '../../ui/for-developers.ts'
import { Bar } from '../../ui/group.tsx'
import { Lines } from '../../ui/lines.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Titled } from '../../ui/titled.tsx'
import words from '../../ui/words.module.css'
import { useExportContents } from './store.ts'
import type { ExportedPage } from './store.ts'

interface Actions {
  readonly onOpenFolder: (exportId: string) => void
  /** Starts the same export again. */
  readonly onAgain: (row: ExportRow) => void
  readonly onVersion: (page: ExportedPage) => void
}

interface Props extends Actions {
  readonly exportId: string
}

/** One past export, read when it is looked at. */
export function ExportDetail({ exportId, ...ways }: Props) {
  const { t } = useTranslation('exports')
  const { exportId: shownId, view, show } = useExportContents()
  useEffect(() => void show(exportId), [show, exportId])
  if (shownId !== exportId || view.kind === 'loading') return <Skeleton rows={4} />
  if (view.kind === 'failed') return <Failed text={t('detailFailed')} onRetry={() => void show(exportId)} />
  return <Contents contents={view.items} {...ways} />
}

/** The destination of an export, its changes there, and its versions. */
function Contents({ contents, onOpenFolder, onAgain, onVersion }: Actions & { readonly contents: ExportContents }) {
  const { t } = useTranslation('exports')
  const formats = useFormats()
  const { row, pages, leftOut, broken } = contents
  const { counts } = row
  return (
    <PaneBody>
      <Bar>
        <Button look="primary" icon={FolderOpen} onClick={() => onOpenFolder(row.exportId)}>
          {t('openFolder')}
        </Button>
        <Button icon={RotateCw} onClick={() => onAgain(row)}>
          {t('again')}
        </Button>
      </Bar>
      <Facts
        facts={[
          { name: t('facts.target'), value: row.target.path, isCode: true },
          { name: t('facts.at'), value: formats.exact(row.at) },
          {
            name: t('facts.files'),
            value: t('filesAndSize', { count: counts.files, size: formats.size(counts.bytes) }),
          },
          {
            name: t('facts.changes'),
            value: t('changesInWords', { added: counts.added, changed: counts.changed, removed: counts.removed }),
          },
          {
            name: t('facts.references'),
            value:
              row.request.check === 'off'
                ? t('references.unknown')
                : row.brokenReferences === 0
                  ? t('references.fine')
                  : t('references.broken', { count: row.brokenReferences }),
          },
          { name: t('facts.fingerprint'), value: row.sha256, isCode: true, isForDevelopers: true },
        ]}
      />
      <LeftOutList leftOut={leftOut} />
      {broken.length > 0 && (
        <Titled title={t('findings.title')}>
          <BrokenReferences list={broken} all={row.brokenReferences} />
        </Titled>
      )}
      <Titled title={t('pagesIn', { count: row.pages })}>
        <Lines>
          {pages.map((page) => (
            <li key={page.materialId}>
              <LinkButton onClick={() => onVersion(page)}>{titleOf(page)}</LinkButton>
              <ForDevelopers>
                <div className={words.code}>{page.versionId}</div>
              </ForDevelopers>
            </li>
          ))}
        </Lines>
      </Titled>
    </PaneBody>
  )
}
