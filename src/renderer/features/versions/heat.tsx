import type { VersionRow } from '@galley/library/records'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import styles from './version-columns.module.css'

interface Amount {
  readonly changes: number
  readonly words: number
}

/** A row that is scrolled past within this time is not compared. */
const seenForMs = 150
/** The number of changed words that fills the bar. */
const fullWords = 200

/** How much changed from the previous version, as a bar beside those of the other versions; compared once it is seen. */
export function Heat({ version: { site, materialId, versionId: to, change } }: { readonly version: VersionRow }) {
  const { t } = useTranslation('versions')
  const bridge = useBridge()
  const [known, setKnown] = useState<{ readonly of: string; readonly amount: Amount | null } | null>(null)
  const from = change?.from ?? null
  useEffect(() => {
    if (from === null) return
    let isCurrent = true
    const timer = setTimeout(() => {
      void bridge
        .call('changeAmount', { site, materialId, from, to })
        .catch(() => null)
        .then((amount) => isCurrent && setKnown({ of: to, amount }))
    }, seenForMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [bridge, site, materialId, from, to])
  const amount = known?.of === to ? known.amount : null
  if (from === null) return null
  if (amount === null) return <span className={styles.heat} />
  const { changes, words } = amount
  const share = Math.min(1, (changes * 5 + words) / fullWords)
  const label = t('heat', { changes: t('changes', { count: changes }), words: t('words', { count: words }) })
  return (
    <span className={styles.heat} role="img" aria-label={label} title={label}>
      {changes > 0 && <span style={{ inlineSize: `${Math.max(8, Math.round(share * 100))}%` }} />}
    </span>
  )
}
