import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { viewportWidths } from '../../ipc/page-pictures.ts'
import { paneNames } from '../../ipc/review-window.ts'
import type { PageArea, PageEnd, PaneName } from '../../ipc/review-window.ts'
import { Button } from '../ui/button.tsx'
import { Message } from '../ui/message.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { ReviewBridge } from './bridge.ts'
import { PageProblem } from './page-problem.tsx'
import styles from './stage.module.css'
import { useReview } from './store.ts'

interface PageEndedProps {
  readonly why: PageEnd
  readonly onReload: (hasImages: boolean) => void
  readonly onClose: () => void
}

/** Shown when a page's process has ended: what happened, that stored data is safe, and what to do. */
function PageEnded({ why, onReload, onClose }: PageEndedProps) {
  const { t } = useTranslation('review')
  return (
    <Message title={t(`ended.${why}.title`)} text={t(`ended.${why}.text`)} isFailure>
      <Button look="primary" onClick={() => onReload(false)}>
        {t('ended.reloadWithoutImages')}
      </Button>
      <Button onClick={() => onReload(true)}>{t('ended.reload')}</Button>
      <Button onClick={onClose}>{t('close')}</Button>
    </Message>
  )
}

interface Props {
  readonly bridge: ReviewBridge
}

/** The bounds of a page of this width: centred in `room` and no wider. */
function boundsIn(room: DOMRect, viewportWidth: number): PageArea {
  const width = Math.max(1, Math.floor(Math.min(room.width, viewportWidth)))
  return {
    x: Math.max(0, Math.round(room.left + (room.width - width) / 2)),
    y: Math.max(0, Math.round(room.top)),
    width,
    height: Math.max(1, Math.floor(room.height)),
    viewportWidth,
  }
}

/** Reserves the areas of the pages, which are separate native views above this one. */
export function Stage({ bridge }: Props) {
  const { pages, device, retry } = useReview()
  const close = (): void => void bridge.call('closeReview', undefined)
  const rooms = useRef(new Map<PaneName, HTMLElement>())

  useLayoutEffect(() => {
    const placePages = (): void => {
      const placeOf = (pane: PaneName): PageArea | null => {
        const room = rooms.current.get(pane)
        const page = pages[pane]
        // A view without content would hide this page's messages under a white area.
        const isVisible = page.kind === 'shown' || (page.kind === 'loading' && page.isAbove)
        if (room === undefined || !isVisible) return null
        return boundsIn(room.getBoundingClientRect(), viewportWidths[device])
      }
      void bridge.call('placePages', { left: placeOf('left'), right: placeOf('right') })
    }
    const observer = new ResizeObserver(placePages)
    for (const room of rooms.current.values()) observer.observe(room)
    placePages()
    return () => observer.disconnect()
  }, [bridge, pages, device])

  // Without the stage, no page may cover the frame.
  useLayoutEffect(() => () => void bridge.call('placePages', { left: null, right: null }), [bridge])

  return (
    <div className={styles.stage}>
      {paneNames.map((pane) => {
        const page = pages[pane]
        if (page.kind === 'none') return null
        return (
          <div
            key={pane}
            className={styles.room}
            ref={(room) => {
              if (room !== null) rooms.current.set(pane, room)
              else rooms.current.delete(pane)
            }}
          >
            {page.kind === 'loading' && !page.isAbove && <Skeleton rows={6} />}
            {page.kind === 'died' && (
              <PageEnded why={page.why} onReload={(hasImages) => retry(pane, hasImages)} onClose={close} />
            )}
            {page.kind === 'failed' && (
              <PageProblem problem={page.problem} bridge={bridge} onRetry={() => retry(pane, true)} />
            )}
          </div>
        )
      })}
    </div>
  )
}
