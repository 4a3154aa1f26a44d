import type { TextPart } from '@galley/library/records'
import type { Result, VersionId } from '@galley/wire'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Source } from '../../ui/source.tsx'
import { useVersions } from './store.ts'
import styles from './versions.module.css'

interface Props {
  readonly versionId: VersionId
}

type Part = Result<TextPart, unknown>

/** Adds a part, replacing whatever was at its offset. */
const withPart =
  ({ offset, part }: { readonly offset: number; readonly part: Part }) =>
  (before: readonly Part[]): readonly Part[] => [
    ...before.filter((known) => known.ok && known.value.offset !== offset),
    part,
  ]

/** The stored page source, read in parts: a large page would freeze the window. */
export function PageSource({ versionId }: Props) {
  const readText = useVersions((state) => state.readText)
  const { t } = useTranslation('versions')
  const formats = useFormats()
  const [parts, setParts] = useState<readonly Part[]>([])
  const read = useCallback(
    async (offset: number) => ({
      offset,
      part: await readText(versionId, 'html', offset),
    }),
    [readText, versionId],
  )
  useEffect(() => void read(0).then((first) => setParts(withPart(first))), [read])
  const readMore = (offset: number): void => void read(offset).then((more) => setParts(withPart(more)))
  const last = parts.at(-1)
  if (last === undefined) return <Skeleton rows={4} />
  const texts = parts.flatMap((part) => (part.ok ? [part.value] : []))
  const next = texts.at(-1)?.nextOffset ?? null
  if (!last.ok) return <Failed text={t('detailFailed')} onRetry={() => readMore(next ?? 0)} />
  return (
    <>
      <Source label={t('htmlLabel')} text={texts.map(({ text }) => text).join('')} />
      {next !== null && (
        <div className={styles.more}>
          <Button onClick={() => readMore(next)}>
            {t('readMore', { read: formats.size(next), all: formats.size(last.value.totalBytes) })}
          </Button>
        </div>
      )}
    </>
  )
}
