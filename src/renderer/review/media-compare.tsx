import type { MediaChange } from '@galley/library/records'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../ipc/calls.ts'
import { useFormats } from '../i18n/formats.ts'
import { Message } from '../ui/message.tsx'
import type { ReviewBridge } from './bridge.ts'
import styles from './media-compare.module.css'
import { PageProblem } from './page-problem.tsx'

interface Props {
  readonly bridge: ReviewBridge
  readonly before: string
  readonly after: string
  readonly onRetry: () => void
}

type View =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: CallProblem | null }
  | { readonly kind: 'ready'; readonly changes: readonly MediaChange[] }

const signs = { added: '+', removed: '−', changed: '≠', same: '' } as const

/** The media files of two versions: added, removed, and replaced under the same name. */
export function MediaCompare({ bridge, before, after, onRetry }: Props) {
  const { t } = useTranslation('review')
  const formats = useFormats()
  const [view, setView] = useState<View>({ kind: 'loading' })
  useEffect(() => {
    let isCurrent = true
    bridge.call('compareMedia', { before, after }).then(
      (answer) =>
        isCurrent &&
        setView(answer.ok ? { kind: 'ready', changes: answer.value } : { kind: 'failed', problem: answer.failure }),
      () => isCurrent && setView({ kind: 'failed', problem: null }),
    )
    return () => {
      isCurrent = false
    }
  }, [bridge, before, after])

  if (view.kind === 'loading') return null
  if (view.kind === 'failed') return <PageProblem problem={view.problem} bridge={bridge} onRetry={onRetry} />
  if (view.changes.length === 0) return <Message text={t('noMedia')} />
  const size = (file: MediaChange['before']): string => (file === null ? '' : formats.size(file.sizeBytes))
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.list} tabIndex={0} role="region" aria-label={t('tabs.media')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('mediaColumns.change')}</th>
            <th scope="col">{t('mediaColumns.name')}</th>
            <th scope="col" className={styles.size}>
              {t('before')}
            </th>
            <th scope="col" className={styles.size}>
              {t('after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {view.changes.map(({ name, kind, before: old, after: now }) => (
            <tr key={name} className={styles[kind]}>
              <td>
                <span className={styles.sign} aria-hidden>
                  {signs[kind]}
                </span>
                {t(`mediaKinds.${kind}`)}
              </td>
              <td className={styles.name}>{name}</td>
              <td className={styles.size}>{size(old)}</td>
              <td className={styles.size}>{size(now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
