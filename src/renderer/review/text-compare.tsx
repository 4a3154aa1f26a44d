import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../ipc/calls.ts'
import type { TextPart } from '../../ipc/review-window.ts'
import { KeyedButton } from '../commands/keyed-button.tsx'
import { Message } from '../ui/message.tsx'
import type { ReviewBridge } from './bridge.ts'
import { startDiff } from './diff.ts'
import type { Difference } from './difference.ts'
import { changeEvent, goToChange } from './keys.ts'
import { openMergeEditor } from './merge-editor.ts'
import { PageProblem } from './page-problem.tsx'
import styles from './text-compare.module.css'

interface Props {
  readonly bridge: ReviewBridge
  readonly part: TextPart
  readonly before: string
  readonly after: string
  readonly onRetry: () => void
  readonly isUnified: boolean
}

type View =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: CallProblem | null }
  | {
      readonly kind: 'ready'
      readonly difference: Difference
      readonly isCut: boolean
    }

/** After this time a comparison gets rougher instead of slower. */
const diffTimeoutMs = 3000

function useDifference({ bridge, part, before, after }: Pick<Props, 'bridge' | 'part' | 'before' | 'after'>): View {
  const [view, setView] = useState<View>({ kind: 'loading' })
  useEffect(() => {
    let isCurrent = true
    let stop = (): void => undefined
    const read = async (): Promise<void> => {
      setView({ kind: 'loading' })
      const texts = await bridge.call('compareTexts', { part, before, after })
      if (!isCurrent) return
      if (!texts.ok) return setView({ kind: 'failed', problem: texts.failure })
      const { isCut, ...compared } = texts.value
      const work = startDiff({ ...compared, timeoutMs: diffTimeoutMs })
      stop = work.stop
      const difference = await work.found
      if (isCurrent) setView({ kind: 'ready', difference, isCut })
    }
    read().catch(() => isCurrent && setView({ kind: 'failed', problem: null }))
    return () => {
      isCurrent = false
      stop()
    }
  }, [bridge, part, before, after])
  return view
}

/** Compares the texts of two versions line by line. */
export function TextCompare({ bridge, part, before, after, isUnified, onRetry }: Props) {
  const { t } = useTranslation('review')
  const view = useDifference({ bridge, part, before, after })
  const [found, setFound] = useState(0)
  /** The number of the current change, counted from 1; 0 until one is visited. */
  const [place, setPlace] = useState(0)
  const host = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (view.kind !== 'ready' || view.difference.changes.length === 0 || host.current === null) return
    const opened = openMergeEditor(host.current, {
      difference: view.difference,
      isUnified,
      labels: { before: t('before'), after: t('after'), unchanged: (lines) => t('unchanged', { lines }) },
    })
    setFound(opened.changes)
    setPlace(0)
    const onChange = (event: Event): void => {
      event.preventDefault()
      setPlace(opened.go((event as CustomEvent<'next' | 'previous'>).detail))
    }
    document.addEventListener(changeEvent, onChange)
    return () => {
      document.removeEventListener(changeEvent, onChange)
      opened.close()
    }
  }, [view, isUnified, t])

  if (view.kind === 'loading')
    return (
      <p className={styles.waiting} role="status">
        {t('comparing')}
      </p>
    )
  if (view.kind === 'failed') return <PageProblem problem={view.problem} bridge={bridge} onRetry={onRetry} />
  if (view.difference.changes.length === 0) return <Message text={t('same')} />
  return (
    <div className={styles.compare}>
      <div className={styles.bar}>
        <p role="status">{place === 0 ? t('changes', { count: found }) : t('changeOf', { place, count: found })}</p>
        {view.isCut && <p className={styles.cut}>{t('cut')}</p>}
        <span className={styles.steps}>
          <KeyedButton
            look="quiet"
            icon={ArrowUp}
            isIconOnly
            command="review.previousChange"
            onClick={() => goToChange('previous')}
          >
            {t('previousChange')}
          </KeyedButton>
          <KeyedButton
            look="quiet"
            icon={ArrowDown}
            isIconOnly
            command="review.nextChange"
            onClick={() => goToChange('next')}
          >
            {t('nextChange')}
          </KeyedButton>
        </span>
      </div>
      <div className={styles.host} ref={host} key={isUnified ? 'unified' : 'split'} />
    </div>
  )
}
