import type { CommandId } from '@galley/library/records'
import { ArrowLeft, ArrowRight, CircleHelp, PanelLeft, PanelRight, Search } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { useCommands } from '../../commands/commands.ts'
import { useAriaKeys, useShownKeys } from '../../commands/shown-keys.ts'
import { ListenerPill } from '../../features/listener/listener-parts.tsx'
import { SiteSwitcher } from '../../features/sites/site-switcher.tsx'
import { useNavigation, currentView } from '../../navigation/navigation.ts'
import { Button } from '../../ui/button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { screens } from '../screens/screens.ts'
import { useLayout } from '../state/layout.ts'
import styles from './title-bar.module.css'

/** Site switcher, back and forward, palette button, listener state. */
export function TitleBar() {
  const { t } = useTranslation(['app', 'help'])
  const { entries, at } = useNavigation((state) => state.history)
  const run = useCommands((state) => state.run)
  const keysOf = useShownKeys()
  const ariaKeysOf = useAriaKeys()
  const { isFolded, isInspectorShown, arrangement } = useLayout()
  const hasInspector = screens[useNavigation(currentView).screen].Inspector !== null

  const toolbarButton = (id: CommandId, icon: LucideIcon, name: string, isOff = false, isPressed?: boolean) => (
    <Tooltip text={name} keys={keysOf(id)}>
      <Button
        look="quiet"
        icon={icon}
        isIconOnly
        aria-disabled={isOff}
        aria-pressed={isPressed}
        aria-keyshortcuts={ariaKeysOf(id)}
        onClick={() => run(id)}
      >
        {name}
      </Button>
    </Tooltip>
  )
  return (
    <header className={styles.bar}>
      <div className={styles.start}>
        {arrangement !== 'single' &&
          toolbarButton('view.sidebar', PanelLeft, isFolded ? t('unfoldSidebar') : t('foldSidebar'))}
        <SiteSwitcher />
        {toolbarButton('go.back', ArrowLeft, t('back'), at === 0)}
        {toolbarButton('go.forward', ArrowRight, t('forward'), at === entries.length - 1)}
      </div>
      <button
        type="button"
        className={styles.palette}
        aria-keyshortcuts={ariaKeysOf('palette.open')}
        onClick={() => run('palette.open')}
      >
        <Search size={14} aria-hidden />
        <span className={styles.hint}>{t('palette.field')}</span>
        <kbd aria-hidden>{keysOf('palette.open')}</kbd>
      </button>
      <div className={styles.end}>
        <ListenerPill />
        {toolbarButton('help.open', CircleHelp, t('help:title'))}
        {hasInspector &&
          toolbarButton(
            'view.inspector',
            PanelRight,
            isInspectorShown ? t('hideInspector') : t('showInspector'),
            false,
            isInspectorShown,
          )}
      </div>
    </header>
  )
}
