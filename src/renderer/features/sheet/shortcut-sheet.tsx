import type { ChosenShortcuts, CommandId } from '@galley/library/records'
import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { subjects } from '../../../texts/catalogue.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { groupOrder, useCommands } from '../../commands/commands.ts'
import type { Command } from '../../commands/commands.ts'
import { displayKeys, isMac, shortcutOf, usableKeys } from '../../commands/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { KeyLines, Keys } from '../../ui/key-lines.tsx'
import words from '../../ui/words.module.css'
import styles from './shortcut-sheet.module.css'

/** Shortcuts in the form of the settings: one per command, empty if removed. */
const keptShortcuts = (chosen: ChosenShortcuts): Record<string, string> =>
  Object.fromEntries(Object.entries(chosen).map(([id, keys]) => [id, keys[0] ?? '']))

interface Props {
  readonly title: string
  readonly onClose: () => void
}

interface KeyButtonProps {
  readonly command: string
  readonly keys: readonly string[]
  /** Names the command that already has these keys; null if they are free. */
  readonly ownerOf: (keys: string) => string | null
  /** null removes the shortcut. */
  readonly onChoose: (keys: string | null) => void
}

/** A command's shortcut; when pressed, records a new one, unless another command has it. */
function KeyButton({ command, keys, ownerOf, onChoose }: KeyButtonProps) {
  const { t } = useTranslation('app')
  const [isTaking, setTaking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isTaking || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return setTaking(false)
    if (event.key === 'Backspace') {
      setTaking(false)
      return onChoose(null)
    }
    const chosen = shortcutOf(event.nativeEvent, isMac)
    if (chosen === null) return undefined
    const owner = ownerOf(chosen)
    if (owner !== null) return setProblem(t('sheet.taken', { keys: displayKeys(chosen), command: owner }))
    setTaking(false)
    return onChoose(chosen)
  }
  return (
    <span className={styles.keys}>
      <button
        type="button"
        title={isTaking ? t('sheet.pressHint') : t('sheet.change', { command })}
        className={styles.button}
        onClick={() => {
          setProblem(null)
          setTaking(true)
        }}
        onBlur={() => setTaking(false)}
        onKeyDown={onKeyDown}
      >
        {isTaking ? (
          t('sheet.press')
        ) : (
          <>
            <span className={words.unseen}>{t('sheet.change', { command })} </span>
            {keys.length === 0 ? t('sheet.none') : keys.map((key) => <kbd key={key}>{key}</kbd>)}
          </>
        )}
      </button>
      {problem !== null && isTaking && (
        <span role="alert" className={`${words.meta} ${words.problem}`}>
          {problem}
        </span>
      )}
    </span>
  )
}

/** Every command with its editable shortcut, by group, and the keys of lists. */
export function ShortcutSheet({ title, onClose }: Props) {
  const bridge = useBridge()
  const { t } = useTranslation([...subjects])
  const { all, chosenKeys, setKeys } = useCommands()
  const change = (chosen: ChosenShortcuts): void => {
    setKeys(chosen)
    // Main logs the failure; the choice still applies to this window.
    void bridge.call('changeSettings', { shortcuts: keptShortcuts(chosen) }).catch(() => null)
  }
  const ownerOf = (id: CommandId, keys: string): string | null => {
    const owner = all.find((other) => other.id !== id && usableKeys(other.id, chosenKeys).includes(keys))
    return owner?.title(t) ?? null
  }
  const line = (command: Command) => ({
    name: command.title(t),
    keys: (
      <KeyButton
        command={command.title(t)}
        keys={usableKeys(command.id, chosenKeys).map((keys) => displayKeys(keys))}
        ownerOf={(keys) => ownerOf(command.id, keys)}
        onChoose={(keys) => change({ ...chosenKeys, [command.id]: keys === null ? [] : [keys] })}
      />
    ),
  })
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      <DialogBody
        actions={
          <>
            <Button look="quiet" onClick={() => change({})}>
              {t('app:sheet.resetAll')}
            </Button>
            <Button onClick={onClose}>{t('ui:close')}</Button>
          </>
        }
      >
        <div className={styles.groups}>
          {groupOrder.map((group) => {
            const commands = all.filter((command) => command.group === group)
            return (
              commands.length > 0 && (
                <KeyLines key={group} title={t(`app:groups.${group}`)} lines={commands.map(line)} />
              )
            )
          })}
          <ListKeys />
        </div>
      </DialogBody>
    </Dialog>
  )
}

/** The keys shared by all lists. */
function ListKeys() {
  const { t } = useTranslation('app')
  const written = (...keys: readonly string[]): readonly string[] => keys.map((key) => displayKeys(key))
  const lines: readonly (readonly [string, readonly string[]])[] = [
    [t('sheet.move'), written('ArrowUp', 'ArrowDown')],
    [t('sheet.ends'), ['Home', 'End']],
    [t('sheet.extend'), written('Shift+ArrowDown', 'Mod+A')],
    [t('sheet.toggle'), written('Mod+Space')],
    [t('sheet.typeAhead'), [t('sheet.typeAheadKeys')]],
    [t('sheet.open'), ['Enter']],
    [t('sheet.menu'), written('Shift+F10')],
    [t('sheet.header'), written('ArrowUp')],
  ]
  return (
    <KeyLines title={t('sheet.lists')} lines={lines.map(([name, keys]) => ({ name, keys: <Keys keys={keys} /> }))} />
  )
}
