import type { JsonMemberView } from '@galley/library/records'
import type { VersionId } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import styles from './state-tree.module.css'
import { useVersions } from './store.ts'

interface Props {
  readonly versionId: VersionId
  readonly path: readonly (string | number)[]
  readonly member: JsonMemberView
}

interface Read {
  readonly text: string
  readonly nextOffset: number | null
  readonly totalChars: number
}

/** A value of the state, coloured by kind; a long one starts cut and loads in parts. */
export function StateValue({ versionId, path, member: { kind, size, preview, isCut } }: Props) {
  const readValue = useVersions((state) => state.readValue)
  const { t } = useTranslation(['versions', 'ui'])
  const formats = useFormats()
  const [read, setRead] = useState<Read | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const readMore = async (): Promise<void> => {
    const piece = await readValue(versionId, path, read?.nextOffset ?? 0)
    setFailed(!piece.ok)
    if (piece.ok) setRead({ ...piece.value, text: (read?.text ?? '') + piece.value.text })
  }
  const shown = read?.text ?? preview
  const hasMore = read === null ? isCut : read.nextOffset !== null
  return (
    <span className={styles.value} data-kind={kind}>
      {shown}
      {hasMore && '…'}
      {hasFailed && (
        <span role="alert" className={styles.cut}>
          {t('stateFailed')}
        </span>
      )}
      {isCut && (
        <span className={styles.cut}>
          {hasMore && (
            <Button look="quiet" onClick={() => void readMore()}>
              {t('moreCharacters', {
                read: formats.count(shown.length),
                all: t('characters', {
                  count: read?.totalChars ?? size,
                  written: formats.count(read?.totalChars ?? size),
                }),
              })}
            </Button>
          )}
          {read !== null && (
            <Button look="quiet" onClick={() => setRead(null)}>
              {t('lessCharacters')}
            </Button>
          )}
        </span>
      )}
    </span>
  )
}
