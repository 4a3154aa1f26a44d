import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { chosenShortcuts } from '../../../contract/domain/shortcuts.ts'
import type { CommandId } from '../../../contract/domain/shortcuts.ts'
import type { AppSettings } from '../../../contract/ipc/settings.ts'
import { subjects } from '../../../texts/catalogue.ts'
import { groupOrder, useCommands } from '../../commands/commands.ts'
import type { Command } from '../../commands/commands.ts'
import { isMac, shortcutOf, usableKeys, writtenKeys } from '../../commands/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Entry } from '../../ui/entry.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import words from '../../ui/words.module.css'
import type { SettingsState } from './store.ts'
import styles from './settings.module.css'

interface Props extends Pick<SettingsState, 'change'> {
  readonly settings: AppSettings
}

/** Every command with its key, which can be changed, turned off and reset. */
export function ShortcutsSection({ settings: { shortcuts: kept }, change }: Props) {
  const { t } = useTranslation([...subjects])
  const { all } = useCommands()
  const [waiting, setWaiting] = useState<CommandId | null>(null)
  const [refused, setRefused] = useState<{ readonly id: CommandId; readonly text: string } | null>(null)
  const chosen = chosenShortcuts(kept)
  // A detail may offer a command that its screen offers too.
  const commands = [...new Map(all.map((command) => [command.id, command])).values()]

  const put = (id: CommandId, keys: string | null): void => {
    const { [id]: _, ...others } = kept
    setRefused(null)
    void change({ shortcuts: keys === null ? others : { ...others, [id]: keys } })
  }
  const take = (command: Command, keys: string): void => {
    setWaiting(null)
    const owner = commands.find(({ id }) => id !== command.id && usableKeys(id, chosen).includes(keys))
    if (owner === undefined) return put(command.id, keys)
    const text = t('settings:shortcuts.taken', { keys: writtenKeys(keys), command: owner.title(t) })
    setRefused({ id: command.id, text })
  }
  const line = (command: Command) => {
    const { id } = command
    const title = command.title(t)
    const keys = usableKeys(id, chosen)
    const named = (action: string) => t('settings:shortcuts.named', { action, command: title })
    return (
      <Entry key={id} isLow>
        <span>
          {title}
          {refused?.id === id && (
            <span role="alert" className={words.problem}>
              {' '}
              {refused.text}
            </span>
          )}
        </span>
        <kbd className={styles.keys}>
          {keys.length === 0 ? t('settings:shortcuts.none') : keys.map((shortcut) => writtenKeys(shortcut)).join(', ')}
        </kbd>
        <Button
          look="quiet"
          aria-label={named(t('settings:shortcuts.change'))}
          onClick={() => setWaiting(id)}
          onBlur={() => setWaiting(null)}
          onKeyDown={(event) => {
            if (waiting !== id) return
            // Keys that are being chosen must do nothing else, neither here nor in the window.
            event.preventDefault()
            event.stopPropagation()
            const pressed = shortcutOf(event.nativeEvent, isMac)
            if (event.key === 'Escape' || event.key === 'Tab') setWaiting(null)
            else if (pressed !== null) take(command, pressed)
          }}
        >
          {waiting === id ? t('settings:shortcuts.press') : t('settings:shortcuts.change')}
        </Button>
        {keys.length > 0 && (
          <Button look="quiet" aria-label={named(t('settings:shortcuts.off'))} onClick={() => put(id, '')}>
            {t('settings:shortcuts.off')}
          </Button>
        )}
        {kept[id] !== undefined && (
          <Button look="quiet" aria-label={named(t('settings:shortcuts.reset'))} onClick={() => put(id, null)}>
            {t('settings:shortcuts.reset')}
          </Button>
        )}
      </Entry>
    )
  }
  return (
    <>
      <Group text={t('settings:shortcuts.text')}>
        {Object.keys(kept).length > 0 && (
          <Bar>
            <Button onClick={() => void change({ shortcuts: {} })}>{t('settings:shortcuts.resetAll')}</Button>
          </Bar>
        )}
      </Group>
      {groupOrder.map((group) => {
        const inGroup = commands.filter((command) => command.group === group)
        return (
          inGroup.length > 0 && (
            <Group key={group} title={t(`app:groups.${group}`)}>
              <ul>{inGroup.map((command) => line(command))}</ul>
            </Group>
          )
        )
      })}
    </>
  )
}
