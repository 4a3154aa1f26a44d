import { chosenShortcuts } from '@galley/library/records'
import type { AppSettings, CommandId } from '@galley/library/records'
import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { subjects } from '../../../texts/catalogue.ts'
import { groupOrder, useCommands } from '../../commands/commands.ts'
import type { Command } from '../../commands/commands.ts'
import { isMac, shortcutOf, usableKeys, displayKeys } from '../../commands/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Entry } from '../../ui/entry.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import words from '../../ui/words.module.css'
import styles from './settings.module.css'
import type { SettingsState } from './store.ts'

interface Props extends Pick<SettingsState, 'change'> {
  readonly settings: AppSettings
}

/** Every command with its shortcut, which can be changed, turned off or reset. */
export function ShortcutsSection({ settings: { shortcuts: kept }, change }: Props) {
  const { t } = useTranslation([...subjects])
  const { all } = useCommands()
  const [waiting, setWaiting] = useState<CommandId | null>(null)
  const [refused, setRefused] = useState<{ readonly id: CommandId; readonly text: string } | null>(null)
  const chosen = chosenShortcuts(kept)
  // A detail pane may register a command that its screen registers too.
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
    const text = t('settings:shortcuts.taken', { keys: displayKeys(keys), command: owner.title(t) })
    setRefused({ id: command.id, text })
  }
  const line = (command: Command) => {
    const { id } = command
    return (
      <CommandEntry
        key={id}
        title={command.title(t)}
        keys={usableKeys(id, chosen)}
        refused={refused?.id === id ? refused.text : null}
        isWaiting={waiting === id}
        isChanged={kept[id] !== undefined}
        onWait={(isWaiting) => setWaiting(isWaiting ? id : null)}
        onTake={(keys) => take(command, keys)}
        onPut={(keys) => put(id, keys)}
      />
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

interface EntryProps {
  readonly title: string
  readonly keys: readonly string[]
  /** Why the pressed keys cannot be used. */
  readonly refused: string | null
  /** The command takes the next key press. */
  readonly isWaiting: boolean
  readonly isChanged: boolean
  readonly onWait: (isWaiting: boolean) => void
  readonly onTake: (keys: string) => void
  /** Empty turns the shortcut off; null resets it. */
  readonly onPut: (keys: '' | null) => void
}

/** A command with its shortcut and the buttons that change it. */
function CommandEntry({ title, keys, refused, isWaiting, isChanged, onWait, onTake, onPut }: EntryProps) {
  const { t } = useTranslation('settings')
  const named = (action: string) => t('shortcuts.named', { action, command: title })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isWaiting) return
    // Keys being recorded must not trigger anything else.
    event.preventDefault()
    event.stopPropagation()
    const pressed = shortcutOf(event.nativeEvent, isMac)
    if (event.key === 'Escape' || event.key === 'Tab') onWait(false)
    else if (pressed !== null) onTake(pressed)
  }
  return (
    <Entry isLow>
      <span>
        {title}
        {refused !== null && (
          <span role="alert" className={words.problem}>
            {' '}
            {refused}
          </span>
        )}
      </span>
      <kbd className={styles.keys}>
        {keys.length === 0 ? t('shortcuts.none') : keys.map((shortcut) => displayKeys(shortcut)).join(', ')}
      </kbd>
      <Button
        look="quiet"
        aria-label={named(t('shortcuts.change'))}
        onClick={() => onWait(true)}
        onBlur={() => onWait(false)}
        onKeyDown={onKeyDown}
      >
        {isWaiting ? t('shortcuts.press') : t('shortcuts.change')}
      </Button>
      {keys.length > 0 && (
        <Button look="quiet" aria-label={named(t('shortcuts.off'))} onClick={() => onPut('')}>
          {t('shortcuts.off')}
        </Button>
      )}
      {isChanged && (
        <Button look="quiet" aria-label={named(t('shortcuts.reset'))} onClick={() => onPut(null)}>
          {t('shortcuts.reset')}
        </Button>
      )}
    </Entry>
  )
}
