import type { CommandId } from '@galley/library/records'
import type { LucideIcon } from 'lucide-react'
import { useId } from 'react'

import styles from './choice.module.css'
import { useKeyed } from './shown-keys.ts'

interface Option<Key extends string> {
  readonly key: Key
  readonly title: string
  readonly icon: LucideIcon
  readonly command: CommandId
}

interface Props<Key extends string> {
  readonly label: string
  readonly options: readonly Option<Key>[]
  readonly chosen: Key
  readonly onChoose: (key: Key) => void
}

/** An icon radio group; arrow keys move the choice. */
export function Choice<Key extends string>({ label, options, chosen, onChoose }: Props<Key>) {
  const name = useId()
  const keyed = useKeyed()
  return (
    <fieldset className={styles.choice} aria-label={label}>
      {options.map(({ key, title, icon: Icon, command }) => {
        const { title: titleWithKey = title, ...keys } = keyed(title, command)
        return (
          <label key={key} className={styles.option} title={titleWithKey}>
            <input
              type="radio"
              className={styles.input}
              name={name}
              aria-label={title}
              {...keys}
              checked={key === chosen}
              onChange={() => onChoose(key)}
            />
            <Icon size={16} aria-hidden />
          </label>
        )
      })}
    </fieldset>
  )
}
