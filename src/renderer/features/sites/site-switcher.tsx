import { ChevronsUpDown, Plus, Settings2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { itemsOf } from '../../bridge/answers.ts'
import { useShownKeys } from '../../commands/shown-keys.ts'
import { EnvironmentBadge } from '../../domain/environment-badge.tsx'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { Menu } from '../../ui/menu.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import words from '../../ui/words.module.css'
import styles from './site-switcher.module.css'
import { siteIn, useSites } from './store.ts'

/** The current site, with production marked by word and shape, and a menu of the others. */
export function SiteSwitcher() {
  const { t } = useTranslation('sites')
  const state = useSites()
  const siteId = useNavigation(currentSite)
  const keysOf = useShownKeys()
  const site = siteIn(state, siteId)
  const setSite = useNavigation((state) => state.setSite)
  if (site === null) return <span className={styles.none}>Galley</span>
  const items: readonly MenuItem[] = [
    { kind: 'heading', key: 'heading', label: t('title') },
    ...itemsOf(state.view).map((other): MenuItem => ({
      kind: 'check',
      key: `site-${other.id}`,
      label: other.name,
      note: t(`environments.${other.environment}`),
      isChecked: other.id === site.id,
      isChoice: true,
      onChange: () => setSite(other.id),
    })),
    { kind: 'separator', key: 'separator' },
    {
      key: 'edit',
      label: t('edit'),
      icon: Settings2,
      keys: keysOf('site.edit'),
      onSelect: () => state.show({ kind: 'edit', site }),
    },
    {
      key: 'add',
      label: t('add'),
      icon: Plus,
      keys: keysOf('site.add'),
      onSelect: () => state.show({ kind: 'add' }),
    },
  ]
  return (
    <Menu
      items={items}
      trigger={
        <button type="button" className={styles.trigger}>
          <span className={words.unseen}>{t('switcher')} </span>
          <span className={styles.name}>{site.name}</span>
          <EnvironmentBadge environment={site.environment} />
          <ChevronsUpDown size={13} aria-hidden className={styles.arrows} />
        </button>
      }
    />
  )
}
