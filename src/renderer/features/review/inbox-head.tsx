import { CheckCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { useCommands } from '../../commands/commands.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { useDecidedText } from './all-clear.tsx'
import styles from './desk.module.css'
import { inboxLists, inboxOrders, useInbox } from './inbox.ts'
import type { InboxList } from './inbox.ts'
import { useDesk } from './store.ts'

/** How many pages wait, what was decided, and what the list shows in which order. */
export function InboxHead() {
  const { t } = useTranslation('desk')
  const { list, order, isAllSites, counts, choose, ...beside } = useInbox()
  const { at, decided } = useDesk()
  const decidedText = useDecidedText()
  const run = useCommands((state) => state.run)
  const { changed, new: fresh } = counts
  const waiting = [
    ...(changed > 0 ? [t('changed', { count: changed })] : []),
    ...(fresh > 0 ? [t('new', { count: fresh })] : []),
  ]
  const sizes: Readonly<Record<InboxList, number>> = {
    review: changed + fresh,
    requested: counts.changes_requested,
    failed: beside.failed.length,
    answered: beside.answered.length,
  }
  return (
    <div className={styles.heading} data-desk>
      <div role="status">
        {waiting.length > 0 && <p>{waiting.join(' · ')}</p>}
        {at !== null && decided.length > 0 && <p className={styles.meta}>{decidedText(decided)}</p>}
      </div>
      {beside.unchanged > 0 && (
        <Button icon={CheckCheck} onClick={() => run('review.approveUnchanged')}>
          {t('together.button', { count: beside.unchanged })}
        </Button>
      )}
      <div className={styles.choices}>
        <Select
          label={t('lists.label')}
          value={list}
          options={inboxLists.map((value) => ({ value, label: t(`lists.${value}`, { count: sizes[value] }) }))}
          onChange={(chosen) => choose({ list: chosen })}
        />
        <Select
          label={t('orders.label')}
          value={order}
          options={inboxOrders.map((value) => ({ value, label: t(`orders.${value}`) }))}
          onChange={(chosen) => choose({ order: chosen })}
        />
        <Select
          label={t('sites.label')}
          value={isAllSites ? 'all' : 'one'}
          options={(['one', 'all'] as const).map((value) => ({ value, label: t(`sites.${value}`) }))}
          onChange={(chosen) => choose({ isAllSites: chosen === 'all' })}
        />
      </div>
    </div>
  )
}
