import type { CommandId } from '@galley/library/records'
import { useContext, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { viewportWidths } from '../../ipc/page-pictures.ts'
import { displayKeys } from '../commands/keys.ts'
import { KeysContext } from '../commands/shown-keys.ts'
import { KeyLines, Keys } from '../ui/key-lines.tsx'
import styles from './key-sheet.module.css'

/** This window's shortcuts. Replaces the pages, since nothing can float above them. */
export function KeySheet() {
  const { t } = useTranslation(['review', 'app', 'system'])
  const lookUpKeys = useContext(KeysContext)
  const sheet = useRef<HTMLElement>(null)
  const titleId = useId()
  useEffect(() => {
    const before = document.activeElement
    sheet.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])

  const fixed = (name: string, ...keys: readonly string[]) => ({
    name,
    keys: <Keys keys={keys.map((key) => displayKeys(key))} />,
  })
  const line = (name: string, command: CommandId) => fixed(name, ...lookUpKeys(command))
  const device = (key: keyof typeof viewportWidths) =>
    line(t(`devices.${key}`, { width: viewportWidths[key] }), `review.${key}`)
  return (
    <section ref={sheet} tabIndex={-1} className={styles.sheet} aria-labelledby={titleId}>
      <h2 id={titleId} className={styles.title}>
        {t('app:sheet.title')}
      </h2>
      <KeyLines
        title={t('version')}
        lines={[
          line(t('older'), 'review.older'),
          line(t('newer'), 'review.newer'),
          line(t('approve'), 'review.approve'),
          line(t('reject'), 'review.reject'),
        ]}
      />
      <KeyLines
        title={t('tabs.page')}
        lines={[
          device('phone'),
          device('tablet'),
          device('desktop'),
          line(t('sync'), 'review.sync'),
          fixed(t('enterPage'), 'F6'),
        ]}
      />
      <KeyLines
        title={t('compare')}
        lines={[
          line(t('compareHint'), 'review.compare'),
          line(t('other'), 'review.other'),
          line(t('nextChange'), 'review.nextChange'),
          line(t('previousChange'), 'review.previousChange'),
          line(t('unified'), 'review.unified'),
        ]}
      />
      <KeyLines
        title={t('app:groups.general')}
        lines={[
          line(t('app:commands.shortcuts'), 'sheet.open'),
          fixed(t('system:menu.zoomIn'), 'Mod+='),
          fixed(t('system:menu.zoomOut'), 'Mod+-'),
          fixed(t('system:menu.zoomReset'), 'Mod+0'),
          fixed(t('leave'), 'Escape'),
          fixed(t('close'), 'Mod+W'),
        ]}
      />
    </section>
  )
}
