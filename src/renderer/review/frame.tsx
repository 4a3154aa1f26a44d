import type { CommandId } from '@galley/library/records'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { paneNames } from '../../ipc/review-window.ts'
import type { Review } from '../../ipc/review-window.ts'
import { usableKeys } from '../commands/keys.ts'
import { KeysContext } from '../commands/shown-keys.ts'
import { useProblemText } from '../i18n/problem-text.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Message } from '../ui/message.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { ReviewBridge } from './bridge.ts'
import styles from './frame.module.css'
import { KeySheet } from './key-sheet.tsx'
import { useFrameKeys } from './keys.ts'
import { MediaCompare } from './media-compare.tsx'
import { PaneHead } from './pane-head.tsx'
import { Stage } from './stage.tsx'
import { newerVersion, panesOf, tabs } from './state.ts'
import type { Tab } from './state.ts'
import { useReview } from './store.ts'
import { TextCompare } from './text-compare.tsx'
import { Toolbar } from './toolbar.tsx'

interface Props {
  readonly bridge: ReviewBridge
}

/** The review window's own page: the controls around the untrusted pages under review. */
export function Frame({ bridge }: Props) {
  const { t } = useTranslation('review')
  const problemText = useProblemText()
  const state = useReview()
  useFrameKeys(bridge)
  const { view, tab, at, against, chosenKeys } = state
  const lookUpKeys = useCallback((id: CommandId) => usableKeys(id, chosenKeys), [chosenKeys])
  const title = view.kind === 'ready' ? view.review.title : ''
  useEffect(() => {
    if (title !== '') document.title = `${title} · Galley`
  }, [title])

  if (view.kind === 'loading')
    return (
      <main className={styles.frame}>
        <Skeleton />
      </main>
    )
  if (view.kind === 'failed')
    return (
      <main className={styles.frame}>
        <Message
          title={t('failed.title')}
          text={view.problem === null ? t('failed.text') : problemText(view.problem)}
          isFailure
        >
          <Button onClick={() => void state.load()}>{t('failed.retry')}</Button>
        </Message>
      </main>
    )

  const panes = panesOf({ at, against })
  const heads = (
    <div className={styles.heads}>
      {paneNames.map((pane) => {
        const shown = panes[pane]
        return shown === null ? null : (
          <PaneHead key={pane} bridge={bridge} pane={pane} shown={shown} review={view.review} />
        )
      })}
    </div>
  )
  const stage = <Stage bridge={bridge} />
  return (
    <KeysContext value={lookUpKeys}>
      <main className={styles.frame}>
        <Toolbar review={view.review} bridge={bridge} />
        {state.verdictProblem && <Banner tone="danger" text={problemText(state.verdictProblem)} />}
        {newerVersion(state) !== null && (
          <Banner tone="warning" text={t('newerArrived')}>
            <Button onClick={state.showCurrent}>{t('showNewer')}</Button>
          </Banner>
        )}
        {state.isGone && <Banner tone="warning" text={t('goneVersion')} />}
        {state.isAlone && <Banner tone="info" text={t('onlyVersion')} />}
        {state.isSheetShown ? (
          <KeySheet />
        ) : against === null ? (
          <>
            {heads}
            {stage}
          </>
        ) : (
          <Tabs
            label={t('tabs.label')}
            chosen={tab}
            between={heads}
            onChoose={(key) => state.setTab(tabs.find((each) => each === key) ?? 'page')}
            tabs={tabs.map((key) => ({
              key,
              title: t(`tabs.${key}`),
              panel: () => (key === 'page' ? stage : <Compared bridge={bridge} review={view.review} part={key} />),
            }))}
          />
        )}
      </main>
    </KeysContext>
  )
}

interface ComparedProps extends Props {
  readonly review: Review
  readonly part: Exclude<Tab, 'page'>
}

/** The comparison of the two versions; retrying starts it again. */
function Compared({ bridge, review: { versions }, part }: ComparedProps) {
  const { at, against, isUnified } = useReview()
  const [tries, setTries] = useState(0)
  const panes = panesOf({ at, against })
  const [before, after] = [panes.left, panes.right].map((place) =>
    place === null ? undefined : versions[place]?.versionId,
  )
  if (before === undefined || after === undefined) return null
  const compared = { bridge, before, after, onRetry: () => setTries(tries + 1) }
  return part === 'media' ? (
    <MediaCompare key={tries} {...compared} />
  ) : (
    <TextCompare key={tries} {...compared} part={part} isUnified={isUnified} />
  )
}
