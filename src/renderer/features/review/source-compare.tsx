import { fail, ok } from '@galley/wire'
import type { Result } from '@galley/wire'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import type { ComparedTexts } from '../../../ipc/review-window.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { KeyedButton } from '../../commands/keyed-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { startDiff } from './diff.ts'
import type { Difference } from './difference.ts'
import type { ComparedPage } from './inbox.ts'
import { openMergeEditor } from './merge-editor.ts'
import { PageProblem } from './page-problem.tsx'
import { goToSourceChange, sourceChangeEvent } from './source-change.ts'
import styles from './source-compare.module.css'
import type { Source } from './store.ts'

interface Props {
  readonly part: Source
  readonly of: ComparedPage
  readonly onRetry: () => void
}

type View =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly problem: CallProblem }
  | {
      readonly kind: 'ready'
      readonly difference: Difference
      readonly isCut: boolean
    }

/** After this time a comparison gets rougher instead of slower. */
const diffTimeoutMs = 3000

/** Both texts of a part; metadata with its secrets hidden. */
async function readTexts(
  bridge: Bridge,
  part: Props['part'],
  { site, materialId, before, after }: ComparedPage,
): Promise<Result<ComparedTexts, CallProblem>> {
  if (part !== 'metadata') return bridge.call('compareTexts', { site, materialId, before, after, part })
  const texts: string[] = []
  for (const versionId of [before, after]) {
    const version = await bridge.call('inspectVersion', { site, materialId, versionId })
    if (!version.ok) return version
    texts.push(version.value.metadata ?? '')
  }
  const [from = '', to = ''] = texts
  return ok({ before: from, after: to, isCut: false })
}

function useDifference(part: Props['part'], { site, materialId, before, after }: ComparedPage): View {
  const bridge = useBridge()
  const [view, setView] = useState<View>({ kind: 'loading' })
  useEffect(() => {
    let isCurrent = true
    let stop = (): void => undefined
    const read = async (): Promise<Result<Extract<View, { readonly kind: 'ready' }>, CallProblem>> => {
      setView({ kind: 'loading' })
      const texts = await readTexts(bridge, part, { site, materialId, before, after })
      if (!isCurrent || !texts.ok) return texts.ok ? fail({ code: 'unexpected' }) : texts
      const { isCut, ...compared } = texts.value
      const work = startDiff({ ...compared, timeoutMs: diffTimeoutMs })
      stop = work.stop
      return ok({ kind: 'ready', difference: await work.found, isCut })
    }
    void catchUnexpected(read()).then(
      (done) => isCurrent && setView(done.ok ? done.value : { kind: 'failed', problem: done.failure }),
    )
    return () => {
      isCurrent = false
      stop()
    }
  }, [bridge, part, site, materialId, before, after])
  return view
}

/** Compares a part of two versions line by line, as it is stored. */
export function SourceCompare({ part, of, onRetry }: Props) {
  const { t } = useTranslation('review')
  const view = useDifference(part, of)
  const [isUnified, setUnified] = useState(false)
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
    const onChange = (event: Event): void =>
      setPlace(opened.go((event as CustomEvent<1 | -1>).detail === 1 ? 'next' : 'previous'))
    document.addEventListener(sourceChangeEvent, onChange)
    return () => {
      document.removeEventListener(sourceChangeEvent, onChange)
      opened.close()
    }
  }, [view, isUnified, t])

  if (view.kind === 'loading')
    return (
      <p className={styles.waiting} role="status">
        {t('comparing')}
      </p>
    )
  if (view.kind === 'failed') return <PageProblem problem={view.problem} onRetry={onRetry} />
  if (view.difference.changes.length === 0) return <Message text={t('same')} />
  return (
    <div className={styles.compare}>
      <div className={styles.bar}>
        <p role="status">{place === 0 ? t('changes', { count: found }) : t('changeOf', { place, count: found })}</p>
        {view.isCut && <p className={styles.cut}>{t('cut')}</p>}
        <span className={styles.steps}>
          <Button look={isUnified ? 'plain' : 'quiet'} aria-pressed={isUnified} onClick={() => setUnified(!isUnified)}>
            {t('unified')}
          </Button>
          <KeyedButton
            look="quiet"
            icon={ArrowUp}
            isIconOnly
            command="review.previousChange"
            onClick={() => goToSourceChange(-1)}
          >
            {t('previousChange')}
          </KeyedButton>
          <KeyedButton
            look="quiet"
            icon={ArrowDown}
            isIconOnly
            command="review.nextChange"
            onClick={() => goToSourceChange(1)}
          >
            {t('nextChange')}
          </KeyedButton>
        </span>
      </div>
      <div className={styles.host} ref={host} key={isUnified ? 'unified' : 'split'} />
    </div>
  )
}
