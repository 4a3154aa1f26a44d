import type { ReviewedCheck } from '@galley/library/records'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import { Group } from '../../ui/group.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './desk.module.css'
import type { WaitingPage } from './inbox.ts'
import { useDesk } from './store.ts'

type Checks = readonly ReviewedCheck[]

/** What a reader may trip over in the page that is read; undefined: not known yet; null: it could not be checked. */
export function useChecks({ site, materialId, before, after }: WaitingPage): Checks | null | undefined {
  const bridge = useBridge()
  const { shown } = useDesk()
  const [known, setKnown] = useState<{ readonly of: string; readonly checks: Checks | null } | null>(null)
  const isPainted = shown.kind === 'loaded' && shown.paintedAtMs !== null
  const compared = shown.kind === 'loaded' ? shown.page.compared : null
  const of = `${before} ${after}`
  useEffect(() => {
    if (!isPainted) return
    let isCurrent = true
    async function check(): Promise<Checks | null> {
      const measured = bridge.call('measureContrast', undefined)
      if (compared !== null) return [...compared.checks, ...(await measured)]
      const read = await bridge.call('compareVersions', { site, materialId, from: before, to: after })
      return read.ok ? [...read.value.checks, ...(await measured)] : null
    }
    void check()
      .catch(() => null)
      .then((checks) => isCurrent && setKnown({ of, checks }))
    return () => {
      isCurrent = false
    }
  }, [bridge, isPainted, compared, site, materialId, before, after, of])
  return known?.of === of ? known.checks : undefined
}

/** The checks of a page, those that the version before passed first; each leads to its place. */
export function CheckList({ checks }: { readonly checks: Checks | null | undefined }) {
  const { t } = useTranslation('desk')
  const isNewPage = useDesk(({ at }) => at?.before === null)
  if (checks === undefined) return <Skeleton rows={3} />
  if (checks === null) return <Message text={t('checks.failed')} isFailure />
  if (checks.length === 0) return <Message text={t('checks.none')} />
  const parts = isNewPage
    ? [{ title: t('checks.all'), part: checks }]
    : [
        { title: t('checks.isNew'), part: checks.filter(({ isNew }) => isNew) },
        { title: t('checks.isOld'), part: checks.filter(({ isNew }) => !isNew) },
      ]
  return (
    <div className={styles.besideBody}>
      {parts
        .filter(({ part }) => part.length > 0)
        .map(({ title, part }) => (
          <Group key={title} title={title}>
            <ul className={styles.changes}>
              {part.map((check) => (
                <CheckLine key={JSON.stringify(check)} check={check} />
              ))}
            </ul>
          </Group>
        ))}
    </div>
  )
}

function CheckLine({ check: { kind, what, at } }: { readonly check: Checks[number] }) {
  const { t } = useTranslation('desk')
  const bridge = useBridge()
  const block = { path: [...at.path], run: at.run }
  return (
    <li>
      <button
        type="button"
        className={styles.change}
        data-desk
        onClick={() => void bridge.call('goToDeskPlace', { block })}
      >
        <span className={styles.what}>
          <span>{t(`checks.kinds.${kind}`)}</span>
          {what !== '' && <span className={styles.texts}>{what}</span>}
        </span>
      </button>
    </li>
  )
}
