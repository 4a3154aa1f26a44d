import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { itemsOfChange } from '../../media/item.ts'
import { MediaLightbox } from '../../media/media-lightbox.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Decision } from './decision.tsx'
import styles from './desk.module.css'
import { useInboxRows } from './inbox.ts'
import { PageList } from './page-list.tsx'
import { PageView } from './page-view.tsx'
import { useDesk, useDeskStore } from './store.ts'

/** The review desk: the pages that wait, the one that is read, and what changed on it. */
export function Desk() {
  const { t } = useTranslation('desk')
  const at = useDesk((state) => state.at)
  const { kind, total, refresh } = useInboxRows()
  useHeldKey()
  if (kind === 'loading') return <Skeleton rows={8} />
  if (kind === 'failed' && total === 0) return <Failed text={t('failed')} onRetry={() => void refresh()} />
  if (at === null && total === 0) return <PageList />
  return (
    <div className={styles.desk}>
      <PageList />
      <PageView />
      <Decision />
      <ChangedFiles />
    </div>
  )
}

/** The files of a change in the lightbox. */
function ChangedFiles() {
  const { at, shown, filesOf, showFiles } = useDesk()
  const change = shown.kind === 'loaded' && filesOf !== null ? shown.page.compared?.changes[filesOf] : undefined
  return at === null || change === undefined ? null : (
    <MediaLightbox of={at} itemsIn={(rows) => itemsOfChange(change.files, rows)} onClose={() => showFiles(null)} />
  )
}

/**
 * Shows the page as it is when the key is released that began to show it as it was, or the window no longer has the focus.
 * Other keys work meanwhile.
 */
function useHeldKey(): void {
  const desk = useDeskStore()
  useEffect(() => {
    let pressed = ''
    let held = ''
    const onDown = ({ key }: KeyboardEvent): void => void (pressed = key)
    const release = (): void => desk.getState().hold(false)
    const onUp = ({ key }: KeyboardEvent): void => {
      if (key === held) release()
    }
    const stop = desk.subscribe(({ isHeld }, before) => {
      if (isHeld !== before.isHeld) held = isHeld ? pressed : ''
    })
    document.addEventListener('keydown', onDown, true)
    document.addEventListener('keyup', onUp)
    window.addEventListener('blur', release)
    return () => {
      stop()
      document.removeEventListener('keydown', onDown, true)
      document.removeEventListener('keyup', onUp)
      window.removeEventListener('blur', release)
      release()
    }
  }, [desk])
}
