import type { VersionRow } from '@galley/library/records'
import { Pin, StickyNote, TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { thumbnailUrl } from '../../../ipc/thumbnail-url.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useWaitingText } from '../../domain/waiting-text.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/grid/column.ts'
import { useNow } from '../../ui/now.ts'
import { Pictured } from '../../ui/pictured.tsx'
import { Sign, WaitingSign } from '../../ui/sign.tsx'
import { Time } from '../../ui/time.tsx'
import { TwoLines } from '../../ui/two-lines.tsx'
import { useChangeText } from './change-text.ts'
import styles from './version-columns.module.css'

/** The timeline's columns, in two-line rows. Versions are named by time, since ids mean nothing to people. */
export function useVersionColumns(): readonly Column<VersionRow>[] {
  const { t } = useTranslation('versions')
  const formats = useFormats()
  const nowMs = useNow()
  const changeText = useChangeText()
  return useMemo(() => {
    /** Which parts changed matters more than the size, which is the second line. */
    const sizeOf = ({ change, sizeBytes }: VersionRow): string => changeText(change).size ?? formats.size(sizeBytes)
    return [
      {
        key: 'version',
        title: t('columns.version'),
        leastWidth: 180,
        cell: (version, shows) => (
          <VersionName
            version={version}
            nowMs={nowMs}
            change={shows('change') ? null : changeText(version.change).parts}
          />
        ),
      },
      {
        key: 'change',
        title: t('columns.change'),
        width: 176,
        shownFrom: 540,
        cell: (version) => (
          <TwoLines
            first={changeText(version.change).parts}
            second={<Sized text={sizeOf(version)} version={version} />}
          />
        ),
      },
      {
        key: 'saved',
        title: t('columns.saved'),
        width: 132,
        // Each row already shows the time.
        shownFrom: 480,
        isMeta: true,
        cell: ({ receivedAt }) => <Time iso={receivedAt} nowMs={nowMs} />,
      },
    ]
  }, [t, formats, nowMs, changeText])
}

interface Amount {
  readonly changes: number
  readonly words: number
}

/** A row that is scrolled past within this time is not compared. */
const seenForMs = 150
/** The number of changed words that fills the bar. */
const fullWords = 200

/** How much changed from the previous version, as a bar beside those of the other versions; compared once it is seen. */
function Heat({ version: { site, materialId, versionId: to, change } }: { readonly version: VersionRow }) {
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

/** A line about a version with the bar of its change in front. */
const Sized = ({ text, version }: { readonly text: string; readonly version: VersionRow }) => (
  <span title={text}>
    <Heat version={version} />
    {text}
  </span>
)

interface NamedProps {
  readonly version: VersionRow
  readonly nowMs: number
  /** The change from the previous version, where no column shows it. */
  readonly change: string | null
}

/** When and by whom a version was saved, with its marks. */
function VersionName({ version, nowMs, change }: NamedProps) {
  const { t } = useTranslation('versions')
  const formats = useFormats()
  const waits = useWaitingText()(version)
  const { number, receivedAt, current, pinned, note, tags, warnings, userEmail, verdict } = version
  const said = [
    ...(verdict === null || verdict.reason === '' ? [] : [verdict.reason]),
    ...(change === null ? [] : [change]),
    ...(userEmail === null ? [] : [userEmail]),
    ...tags,
  ].join(' · ')
  return (
    <Pictured src={thumbnailUrl(version)}>
      <TwoLines
        first={
          <span className={styles.name}>
            <span className={styles.number}>{t('number', { number })}</span>
            <time className={styles.moment} dateTime={receivedAt} title={formats.exact(receivedAt)}>
              {formats.dayAndMinute(receivedAt, nowMs)}
            </time>
            {current && <Badge tone="accent" word={t('current')} />}
            {verdict !== null && (
              <Badge
                tone={verdict.decision === 'approved' ? 'success' : 'danger'}
                word={t(`verdict.${verdict.decision}`)}
              />
            )}
            {waits !== null && <WaitingSign label={waits} />}
            {pinned && <Sign icon={Pin} label={t('pinned')} />}
            {note !== '' && <Sign icon={StickyNote} label={t('noted', { note })} />}
            {warnings.length > 0 && (
              <Sign icon={TriangleAlert} label={t('warnings', { count: warnings.length })} isWarning />
            )}
          </span>
        }
        second={change === null ? said : <Sized text={said} version={version} />}
      />
    </Pictured>
  )
}
